"""Branches of Swift sources, from what llvm-cov exports.

Swift's coverage mapping has regions and no branch records. A region is a stretch of source that is entered as a whole: a body, a case, the
second part of `&&`, `||` and `??`, either part of a ternary, what follows a guard. So most branches are regions. The others are the ways past
a region: no `else` has been written, or `&&` has stopped at its first part. How often such a way was taken is how often the region around it
was entered, less how often the region itself was.

A branch is named by file, function and the line on which its region begins, with the region between « and »: lines move, names stay.
Not told apart: the conditions of one list (`if a, b`), the patterns of one case (`case a, b`), and loops that were entered at least once.
"""

import collections
import json
import pathlib
import re
import subprocess

# The words that begin what a brace belongs to, the last one before it.
HEAD = re.compile(r"\b(if|guard|while|for|switch|else|case|default|repeat|do|catch|func|init|var|let|get|set|return|in|where)\b")
OPERATORS = ("&&", "||", "??")

Branch = collections.namedtuple("Branch", "file function way text")


def tool(name):
    """Swift's own llvm-cov and llvm-profdata: others do not read its profiles."""
    told = json.loads(subprocess.run(["swift", "-print-target-info"], capture_output=True, text=True, check=True).stdout)
    return pathlib.Path(told["paths"]["runtimeResourcePath"]).parent.parent / "bin" / name


class Region:
    """A stretch of one file, in its bytes, and how often it was entered."""

    def __init__(self, begin, end, function, is_entry):
        self.begin, self.end, self.function, self.is_entry = begin, end, function, is_entry
        self.count, self.parent = 0, None


class Source:
    """One file and its regions."""

    def __init__(self, path):
        self.text = pathlib.Path(path).read_bytes()
        self.starts = [0] + [match.end() for match in re.finditer(rb"\n", self.text)]
        self.regions = {}

    def offset(self, line, column):
        return self.starts[line - 1] + column - 1

    def add(self, lines, count, function, is_entry):
        begin, end = self.offset(lines[0], lines[1]), self.offset(lines[2], lines[3])
        region = self.regions.setdefault((begin, end), Region(begin, end, function, is_entry))
        region.count += count

    def nest(self):
        """Gives each region the smallest one around it."""
        around = []
        for region in sorted(self.regions.values(), key=lambda r: (r.begin, -r.end)):
            while around and around[-1].end <= region.begin:
                around.pop()
            region.parent = around[-1] if around else None
            around.append(region)

    def slice(self, begin, end):
        return self.text[begin:end].decode()

    def line(self, region):
        """The first line of a region that is not blank, with marks where the region begins and ends."""
        begin = region.begin
        # What follows a guard begins behind its brace.
        while begin < region.end and self.text[begin:begin + 1] in (b" ", b"\n"):
            begin += 1
        start = self.text.rfind(b"\n", 0, begin) + 1
        stop = self.text.find(b"\n", begin)
        before, inside = self.slice(start, begin), self.slice(begin, min(stop, region.end))
        after = "»" + self.slice(region.end, stop) if region.end <= stop else ""
        return f"{before}«{inside}{after}".strip()

    def head(self, region):
        """The code before a region and within the one around it, without comments."""
        return re.sub(r"//[^\n]*", "", self.slice(region.parent.begin, region.begin)).rstrip()

    def other_way(self, region, siblings):
        """How often the way past a region was taken that has no region of its own; None where it has one, or where that cannot be told."""
        if region.parent is None or region.is_entry and not self.is_second_part(region):
            return None
        head = self.head(region)
        words = list(HEAD.finditer(head))
        word, since = (words[-1].group(), head[words[-1].end():]) if words else ("", head)
        if head.endswith(OPERATORS):
            # After a comma, in a case or behind `else` it is not known how often the first part was looked at.
            in_list = word in ("if", "guard", "while", "let", "case", "where") and "," in outside_parentheses(since)
            if in_list or word in ("case", "where", "else") or re.search(r"\belse\s+if\b[^{}]*$", head):
                return None
            return region.parent.count - region.count
        if word not in ("if", "let", "case") or self.text[region.begin:region.begin + 1] != b"{" or region.is_entry:
            return None
        if not re.search(r"\bif\b[^{}]*$", strip_closures(head)) or re.match(r"\s*else\b", self.slice(region.end, region.parent.end)):
            return None
        # Of a chain of `else if` the ways before this one are taken off as well.
        taken, at = region.count, region
        while at is not None and re.search(r"\}\s*else\s+if\b[^{}]*$", strip_closures(self.head(at))):
            at = next((one for one in reversed(siblings) if one.end <= at.begin and self.slice(one.end, at.begin).lstrip().startswith("else")), None)
            taken += at.count if at else 0
        return region.parent.count - taken

    def is_condition(self, region):
        return region.parent is not None and re.search(r"\b(if|guard|while|switch)$", self.head(region)) is not None

    def is_second_part(self, region):
        return self.head(region).endswith(OPERATORS)


def outside_parentheses(text):
    """The text without what is in round or square brackets."""
    out, depth = [], 0
    for letter in text:
        depth += letter in "(["
        if depth == 0:
            out.append(letter)
        depth -= letter in ")]" and depth > 0
    return "".join(out)


def strip_closures(text):
    """The text without braces that open and close in it."""
    while True:
        shorter = re.sub(r"(?<=[(\w ])\{[^{}\n]*\}(?=[\s)]*[),])", "", text)
        if shorter == text:
            return text
        text = shorter


def demangled(names):
    """Mangled name -> `Camera.step(_:at:)`, that of a closure's function for a closure."""
    plain = [name.rpartition(":")[2] for name in names]
    told = subprocess.run(["swift", "demangle", "-compact", "-simplified"], input="\n".join(plain), capture_output=True, text=True, check=True)
    short = (re.sub(r"^(?:(?:implicit )?closure #\d+ .*?in |default argument \d+ of |static |\(extension in \w+\):)+", "", line)
             for line in told.stdout.splitlines())
    return dict(zip(names, short))


def branches(export, root):
    """Branch -> how often it was taken, and the unreached ones that are not within another unreached one, in the order of the sources."""
    functions = [f for f in export["data"][0]["functions"] if root in f["filenames"][0]]
    names = demangled([f["name"] for f in functions])
    sources = {}
    for function in functions:
        path = function["filenames"][0]
        source = sources.setdefault(path, Source(path))
        for index, region in enumerate(function["regions"]):
            source.add(region[:4], region[4], names[function["name"]], index == 0)
    counts, unreached = {}, []
    for path, source in sorted(sources.items()):
        source.nest()
        file = path.partition(root)[2]
        regions = sorted(source.regions.values(), key=lambda r: (r.begin, -r.end))
        for region in regions:
            is_within = region.parent is not None and region.parent.count == 0
            siblings = [one for one in regions if one.parent is region.parent]
            # What is asked by `if` or `switch` is entered with what is around it.
            ways = [] if source.is_condition(region) else [("never", region.count)]
            other = source.other_way(region, siblings)
            if other is not None:
                if other < 0:
                    raise SystemExit(f"coverage: {file}: a part is entered more often than what is around it: {source.line(region)}")
                ways.append(("always", other))
            for way, count in ways:
                branch, number = Branch(file, region.function, way, source.line(region)), 1
                while branch in counts:
                    number += 1
                    branch = branch._replace(text=f"{source.line(region)} ({number})")
                counts[branch] = count
                # Who never comes there takes neither way.
                if count == 0 and not is_within and (way == "never" or region.count > 0):
                    unreached.append(branch)
    return counts, unreached
