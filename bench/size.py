#!/usr/bin/python3
"""Says what the installed program's size is made of: by section, and by the module or library that each byte comes from.

  size.py [--map MAP --program PROGRAM]
Without a MAP the release build is linked once more, so that the linker writes one (lld's -Map). Counted are the bytes that lie in
the stripped file; headers and padding are what is missing to its size. Prints tables in Markdown. Exit status 1 where the stripped
file has more than 50 MB.
Packages: python3 binutils
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# The most bytes of the stripped program.
SIZE_MAX = 50_000_000
TREE = os.path.dirname(HERE)
LINE = re.compile(r"^\s*([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+( {1,17})(\S.*)$")
# The names of the targets are those of their folders.
OWN = set(os.listdir(os.path.join(TREE, "Sources")))


def origin(place):
    """The module or library of `PATH:(SECTION)` or `ARCHIVE(MEMBER):(SECTION)`."""
    if place.startswith("<internal>"):
        return "the linker: tables, merged strings"
    found = re.search(r"/([^/]+)\.build/", place)
    if found:
        return ("Vigil: " if found.group(1) in OWN else "") + found.group(1)
    if "icu_packaged_data" in place:
        return "ICU, data"
    found = re.search(r"/(lib[^/(]+)\.a\(", place)
    if found:
        library = {"libicu": "ICU, code", "lib_FoundationICU": "ICU, code"}.get(found.group(1), found.group(1))
        if re.match(r"libswift(?!Dispatch)|libdispatch|libBlocks|libswiftDispatch", library):
            return "Swift: runtime, standard library, Dispatch"
        return re.sub(r"^lib_?(?=\w*Foundation)", "", library)
    return "start files"


def main():
    """Reads the map."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map")
    parser.add_argument("--program")
    o = parser.parse_args()
    scratch = os.environ.get("SCRATCH", ".build")
    if not o.map:
        o.map = os.path.join(TREE, scratch, "vigil.map")
        subprocess.run(["make", "-s", "build", "SWIFTFLAGS=-Xlinker -Map=" + os.path.abspath(o.map)], cwd=TREE, check=True)
    program = o.program or os.path.join(TREE, scratch, "release", "vigil")
    with tempfile.NamedTemporaryFile() as f:
        subprocess.run(["strip", "-o", f.name, program], check=True)
        size = os.path.getsize(f.name)
    sections, origins, section = collections.Counter(), collections.Counter(), None
    with open(o.map, errors="replace") as f:
        for line in f:
            found = LINE.match(line)
            if not found:
                continue
            address, count, indent, name = int(found.group(1), 16), int(found.group(2), 16), len(found.group(3)), found.group(4)
            if indent == 1:
                # What has no address is not loaded and stripped; .bss takes no place in the file.
                section = name if address and name not in (".bss", ".tbss") else None
                if section:
                    sections[section] += count
            elif indent == 9 and section:
                origins[origin(name)] += count
    print("The stripped program: %.1f MB\n" % (size / 1e6))
    for title, sums in (("section", sections), ("from", origins)):
        print("| %s | MB |\n|---|---|" % title)
        for name, count in sums.most_common():
            if count >= 100_000:
                print("| %s | %.2f |" % (name, count / 1e6))
        print("| less than 0.1 each | %.2f |\n" % (sum(c for c in sums.values() if c < 100_000) / 1e6))
    if size > SIZE_MAX:
        sys.exit("the stripped program has %.1f MB, more than %.0f" % (size / 1e6, SIZE_MAX / 1e6))


if __name__ == "__main__":
    main()
