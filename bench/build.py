#!/usr/bin/python3
"""Builds Vigil from nothing as `make run` does, and says where the time went: CPU seconds by module, and the wall time.

  build.py [--scratch FOLDER] [NAME=VALUE…]
FOLDER (a new one beside .build, removed afterwards, unless named) gets the build; what .build has fetched is copied there, so that
no download is timed. NAME=VALUE goes to make. Compilers and linkers are looked at ten times a second in /proc: of each the last
tenth of a second may be missing. Prints a table in Markdown, the dearest module first.
Packages: python3
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(HERE)
TICKS = os.sysconf("SC_CLK_TCK")


def module(words):
    """What a process works for: its Swift module, its C target, or its name."""
    if "-module-name" in words:
        return words[words.index("-module-name") + 1]
    for word in reversed(words):
        found = re.search(r"/([^/]+)\.build/", word)
        if found:
            return found.group(1)
    name = os.path.basename(words[0])
    return "linking" if "ld" in name.split(".") or name in ("lld", "collect2") else name


def look(seen):
    """Notes what each process has used so far: parent, module and seconds by process id."""
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            with open(entry.path + "/stat") as f:
                stat = f.read().rpartition(")")[2].split()
            key = (int(entry.name), stat[19])
            known = seen.get(key)
            if known is None or known[1] in ("swift-build", "sh", "make"):
                with open(entry.path + "/cmdline") as f:
                    words = f.read().split("\0")[:-1]
                known = (int(stat[1]), module(words) if words else "")
            # Its own time alone: its children are seen as themselves.
            seen[key] = (known[0], known[1], (int(stat[11]) + int(stat[12])) / TICKS)
        except (FileNotFoundError, ProcessLookupError):
            continue


def belongs(seen, root):
    """The processes that root started, whatever became of those in between."""
    parents = {key[0]: value[0] for key, value in seen.items()}
    for key, value in seen.items():
        pid = key[0]
        while pid > 1 and pid != root:
            pid = parents.get(pid, 0)
        if pid == root:
            yield value


def main():
    """Builds and tells."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch")
    parser.add_argument("variables", nargs="*")
    o = parser.parse_args()
    scratch = os.path.join(TREE, o.scratch or ".build-timed")
    if any(os.path.exists(os.path.join(scratch, name)) for name in ("release.yaml", "debug.yaml")):
        sys.exit("%s: there is a build already; name a new folder" % scratch)
    os.makedirs(scratch, exist_ok=True)
    for name in ("checkouts", "repositories", "artifacts", "workspace-state.json"):
        source, target = os.path.join(TREE, ".build", name), os.path.join(scratch, name)
        if os.path.exists(source) and not os.path.exists(target):
            subprocess.run(["cp", "-a", source, target], check=True)
    begin, seen = time.time(), {}
    build = subprocess.Popen(["make", "build", "SCRATCH=" + os.path.relpath(scratch, TREE)] + o.variables, cwd=TREE,
                             stdout=sys.stderr)
    while build.poll() is None:
        look(seen)
        time.sleep(0.1)
    wall = time.time() - begin
    sums = collections.Counter()
    for _, name, seconds in belongs(seen, build.pid):
        sums[name] += seconds
    print("| module | CPU s |\n|---|---|")
    for name, seconds in sums.most_common():
        if seconds >= 1:
            print("| %s | %.0f |" % (name, seconds))
    print("| less than 1 s each | %.0f |" % sum(s for s in sums.values() if s < 1))
    print("\nAll: %.0f s of CPU in %.0f s, on %d cores." % (sum(sums.values()), wall, os.cpu_count()))
    if not o.scratch:
        shutil.rmtree(scratch)
    sys.exit(build.returncode)


if __name__ == "__main__":
    main()
