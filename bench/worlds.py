#!/usr/bin/python3
"""How large each graph is that `explore` walks through, and what checking it takes: processor time and memory.

  worlds.py [--explore PROGRAM] [--all] [NAME...]
Each graph is checked by a process of its own, with all its promises. Without NAME every graph; the table names those that take
half a second and more, or with --all every one, and sums up the others; of their memory it tells the most. Without a PROGRAM it
builds one.
Packages: python3
"""
import argparse
import os
import re
import subprocess
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LISTED_FROM = 0.5  # seconds of processor time


def built():
    """The program, built for release."""
    subprocess.run(["make", "-s", "program", "PRODUCT=explore"], cwd=TREE, stdout=sys.stderr, check=True)
    return os.path.join(TREE, os.environ.get("SCRATCH", ".build"), "release", "explore")


def check(program, name):
    """States, steps, promises, seconds of processor time, MiB at most."""
    with subprocess.Popen([program, "check", "--exactly", name], stdout=subprocess.PIPE, text=True) as process:
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    size = re.search(r" states=(\d+) edges=(\d+) ", said)
    if status or not size:
        sys.exit("worlds: %s: the check fails:\n%s" % (name, said[-2000:]))
    return int(size[1]), int(size[2]), len(re.findall(r"^  ok ", said, re.M)), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    options = argparse.ArgumentParser(description="What checking each graph takes.")
    options.add_argument("--explore", metavar="PROGRAM")
    options.add_argument("--all", action="store_true")
    options.add_argument("name", nargs="*")
    options = options.parse_args()
    program = options.explore or built()
    listed = subprocess.run([program, "list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = [name for name in re.findall(r"^(\S+) \(", listed, re.M) if not options.name or name in options.name]
    if not names:
        sys.exit("worlds: no such graph; `explore list` names them")
    print("| graph | states | steps | promises | CPU s | MiB |\n|---|---|---|---|---|---|")
    rest = []
    for name in names:
        row = check(program, name)
        if options.all or row[3] >= LISTED_FROM:
            print("| %s | %d | %d | %d | %.1f | %.0f |" % ((name,) + row), flush=True)
        else:
            rest.append(row)
    if rest:
        print("| %d others | %d | %d | %d | %.1f | %.0f |" % ((len(rest),) + tuple(map(sum, list(zip(*rest))[:4])) + (max(r[4] for r in rest),)))


if __name__ == "__main__":
    main()
