#!/usr/bin/python3
"""What the trace costs: bytes beside those of the journal for the same steps, and CPU time for sixteen busy cameras.

  trace.py [--program PATH] [--minutes 120]
As root: a journald of its own runs in a mount namespace. bench-trace steps the machines of sixteen cameras in which
something moves all the time, and puts each step into a trace and into the journal. Then must hold:
- the trace takes at most half the bytes of the journal's files, and verifies;
- encoding, chaining, writing and syncing the trace takes less than 1 % of a core of the time that the steps stand for.
Prints one JSON line a check. Exit status 1 if one failed.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

from record import HERE, Verdict, own_journal, start_journald

BUILT = os.path.join(HERE, "..", ".build", "release", "bench-trace")
JOURNAL = "/run/log/journal"


def journal_bytes():
    """What the files of the journal take on the disk."""
    return sum(os.stat(p).st_blocks * 512 for p in glob.glob(JOURNAL + "/*/*.journal"))


def measure(program, minutes, *words):
    """What bench-trace tells."""
    with tempfile.TemporaryDirectory(prefix="vigil-trace-") as folder:
        return json.loads(subprocess.run([program, folder, str(minutes), *words], capture_output=True, check=True).stdout)


def main():
    """Measures bytes and time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--minutes", type=int, default=120)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if "--inside" not in sys.argv and o.program == BUILT:
        subprocess.run(["swift", "build", "-c", "release", "--product", "bench-trace"], cwd=os.path.join(HERE, ".."), check=True,
                       stdout=subprocess.DEVNULL)
    own_journal(__file__)
    verdict = Verdict()
    journald = start_journald()
    try:
        before = journal_bytes()
        told = measure(o.program, o.minutes, "--journal")
        subprocess.run(["journalctl", "--sync"], check=True)
        journal = journal_bytes() - before
        verdict.say("at most half the journal's bytes", told["lost"] == 0 and told["bytes"] * 2 <= journal, steps=told["steps"],
                    traceBytes=told["bytes"], journalBytes=journal, traceBytesPerStep=round(told["bytes"] / told["steps"], 1),
                    journalBytesPerStep=round(journal / told["steps"], 1))
    finally:
        journald.terminate()
        journald.wait(20)
    alone = measure(o.program, o.minutes)
    verdict.say("the trace is whole and read back", alone["findings"] == 0 and alone["read"] == alone["steps"],
                verifyRecordsPerCPUSecond=round(alone["steps"] / alone["verifyCpuS"]),
                readRecordsPerCPUSecond=round(alone["steps"] / alone["readCpuS"]))
    parts = {name: round(100 * alone[name + "CpuS"] / alone["seconds"], 3) for name in ("encode", "write", "sync")}
    verdict.say("less than 1 % of a core for 16 busy cameras", sum(parts.values()) < 1,
                stepsPerSecond=round(alone["steps"] / alone["seconds"], 1), percentOfACore=parts, sum=round(sum(parts.values()), 3))
    verdict.end(tempfile.mkdtemp(prefix="vigil-trace-"), None)


if __name__ == "__main__":
    main()
