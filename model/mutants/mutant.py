"""A bug that is put into the sources on purpose, as a text file says it: `from`, `kills`, `file`, the text that is replaced, which must
be there exactly once, and its replacement."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Mutant:
    def __init__(self, path):
        found = re.fullmatch(r"from: (.+)\nkills: (.+)\nfile: (.+)\n--- instead of\n(.+)\n--- there is\n(.*?)\n?", path.read_text(), re.S)
        if not found:
            sys.exit(f"{path.name}: not in the form that model/mutants/run describes")
        self.name = path.stem
        self.origin, self.kills, self.file, old, new = found.groups()
        source = (ROOT / self.file).read_text()
        if source.count(old) != 1:
            sys.exit(f"{path.name}: the text to replace is {source.count(old)} times in {self.file}, not once")
        self.text = source.replace(old, new)
