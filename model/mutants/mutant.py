"""A bug that is put into the sources on purpose, as a text file says it: `from`, `kills`, perhaps `also`, `file`, the text that is replaced, which must
be there exactly once, and its replacement."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Mutant:
    def __init__(self, path):
        found = re.fullmatch(r"from: ([^\n]+)\nkills: ([^\n]+)\n(?:also: ([^\n]+)\n)?file: ([^\n]+)\n--- instead of\n(.+)\n--- there is\n(.*?)\n?", path.read_text(), re.S)
        if not found:
            sys.exit(f"{path.name}: not in the form that model/mutants/run describes")
        self.name = path.stem
        self.origin, self.kills, self.also, self.file, old, new = found.groups()
        source = (ROOT / self.file).read_text()
        if source.count(old) != 1:
            sys.exit(f"{path.name}: the text to replace is {source.count(old)} times in {self.file}, not once")
        self.text = source.replace(old, new)

    @property
    def named(self):
        """The properties that must notice it, the one that restates nothing last."""
        return [self.kills] + ([self.also] if self.also and self.also != "nobody" else [])

    def wrong(self, restating):
        """What is wrong with the names, given those that restate the machine."""
        if (self.kills in restating) != bool(self.also):
            return ["`also` stands exactly where `kills` restates the machine"]
        return ["`also` restates the machine"] if self.also in restating else []
