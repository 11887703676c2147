#!/usr/bin/python3
"""Alters one thing after the other in what a daemon journaled and traced, and counts what `vigil replay` does not notice.

  altered.py [--vigil PATH] [--seconds 40] [--camera pcmu] [--media FOLDER] [--keep FOLDER] [--again FOLDER]
As root: a journald of its own runs in a mount namespace. Four live cameras are recorded under trouble, as bench/replay.py does it.
Then, for one camera, each record of the journal about it and each record of its trace is altered in each of its fields, taken
out, put in twice, and put behind the one that follows it, one at a time; the trace once as it stands, and once with its chain of
digests made anew, as docs/design/trace.md says. A last record that is cut off must be named. `vigil replay` must end with
another status than 0 each time, but for what stands in UNHELD with the reason.
Prints one JSON line a check. Exit status 1 if something went unnoticed, 3 if the cameras themselves died.
Packages: rig systemd
"""
import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile

from record import CAMERAS, HERE, RIG, Verdict, own_journal
from replay import Site, live

# What replay cannot hold: (kind of the record, what was done), each with the reason.
UNHELD = {
    ("step", "VIGIL_BOOT"): "names the boot, decides nothing",
    ("step", "VIGIL_VERSION"): "names the version, decides nothing",
    ("step", "VIGIL_EVENT"): "says in a word for people what VIGIL_INPUT says",
    ("step", "VIGIL_KIND"): "a step is known by its fields",
    ("step", "MESSAGE"): "words for people; the fields are held",
    ("step", "MESSAGE_ID"): "a step is known by its fields",
}
# Kinds that report what a camera's machine did: those of docs/design/replay.md. What others tell of a camera is no report.
REPORTS = """linkDialing linkSynchronizing linkStreaming linkFailed linkLost linkWaiting linkHungUp noKeyFrame obligationOverdue eventBegan
    eventProlonged eventEnded detectionSuppressed commandRefused commandTaken sourceExpired clipOpened clipOpenFailed clipClosed
    clipIncomplete recordingEnabled recordingDisabled privacyOn privacyOff modeChanged coverageChanged machineIgnored""".split()
# Fields of which only their words in MESSAGE are held, because only the daemon's shell knows the value.
SHELLS = {"VIGIL_URL", "VIGIL_DETAIL", "VIGIL_SOURCE", "VIGIL_BYTES", "VIGIL_DURATION_MS", "VIGIL_CLIP", "VIGIL_EVENT", "VIGIL_CHAINED_TO"}


def entries(export):
    """The entries of systemd's Journal Export Format, each a list of (name, value) in bytes."""
    found, entry, place = [], [], 0
    while place < len(export):
        end = export.index(b"\n", place)
        line, place = export[place:end], end + 1
        if not line:
            found.append(entry)
            entry = []
        elif b"=" in line:
            entry.append(tuple(line.split(b"=", 1)))
        else:
            length = int.from_bytes(export[place:place + 8], "little")
            entry.append((line, export[place + 8:place + 8 + length]))
            place += 9 + length
    return found


def text(records):
    """Entries in that format."""
    out = bytearray()
    for entry in records:
        for name, value in entry:
            out += name + (b"\n" + len(value).to_bytes(8, "little") if b"\n" in value else b"=") + value + b"\n"
        out += b"\n"
    return bytes(out)


def value(entry, name):
    """The first value of a field, as text."""
    return next((v.decode(errors="replace") for n, v in entry if n == name.encode()), None)


def kind(entry):
    """The kind of an entry."""
    return "step" if value(entry, "VIGIL_TRACE") else value(entry, "VIGIL_KIND")


def another(old):
    """Another value of the same form: its last letter or digit is another one."""
    for place in reversed(range(len(old))):
        if chr(old[place]).isalnum() and old[place] < 128:
            new = b"1" if old[place:place + 1] != b"1" else b"2"
            return old[:place] + new + old[place + 1:]
    return old + b"1"


def words(old):
    """Effects in other ways: one digit of each, each taken out, each twice, each behind the next."""
    each = old.split(b" ") if old else []
    for i in range(len(each)):
        yield "effect altered", each[:i] + [another(each[i])] + each[i + 1:]
        yield "effect removed", each[:i] + each[i + 1:]
        yield "effect twice", each[:i] + [each[i]] + each[i:]
        if i + 1 < len(each) and each[i] != each[i + 1]:
            yield "effects swapped", each[:i] + [each[i + 1], each[i]] + each[i + 2:]
    yield "effect added", each + [b"o00000000"]


def journal_alterations(records):
    """(kind, what, index, the records) for each alteration of each record."""
    for i, entry in enumerate(records):
        what = kind(entry)
        yield what, "removed", i, records[:i] + records[i + 1:]
        yield what, "twice", i, records[:i] + [entry] + records[i:]
        if i + 1 < len(records):
            yield what, "swapped", i, records[:i] + [records[i + 1], entry] + records[i + 2:]
        for place, (name, old) in enumerate(entry):
            if not name.startswith((b"VIGIL_", b"MESSAGE")):
                continue
            changes = [(name.decode(), another(old))]
            if name == b"VIGIL_EFFECTS":
                changes = [(how, b" ".join(each)) for how, each in words(old)]
            for how, new in changes:
                yield what, how, i, records[:i] + [entry[:place] + [(name, new)] + entry[place + 1:]] + records[i + 1:]
            if what != "step":
                yield what, name.decode() + " removed", i, records[:i] + [entry[:place] + entry[place + 1:]] + records[i + 1:]
                if name.decode() in SHELLS:
                    message = [(n, v.replace(old, another(old)) if n == b"MESSAGE" else v) for n, v in entry]
                    message[place] = (name, another(old))
                    yield what, name.decode() + " with MESSAGE", i, records[:i] + [message] + records[i + 1:]


def chained(lines):
    """The lines of a trace file (without DIGEST) with numbers and digests made anew."""
    out, end = [], None
    for number, fields in enumerate(lines, int(lines[0][0])):
        if fields[1] == b"file":
            end = fields[5] if end is None else end
            fields = fields[:5] + [end]
        body = b"\t".join([b"%d" % number] + fields[1:])
        end = hashlib.sha256(end + body).hexdigest().encode()
        out.append(body + b"\t" + end + b"\n")
    return b"".join(out)


NAMES = ["NUMBER", "TYPE", "run", "machine", "name", "step", "instant", "wall time", "digest", "input", "effects", "state"]


def trace_alterations(lines):
    """(kind, what, index, bytes) for each alteration of each record, whose chain is made anew."""
    for i, fields in enumerate(lines):
        what = fields[1].decode()
        if i == 0:
            continue
        yield what, "removed", i, chained(lines[:i] + lines[i + 1:])
        yield what, "twice", i, chained(lines[:i] + [fields] + lines[i:])
        if i + 1 < len(lines):
            yield what, "swapped", i, chained(lines[:i] + [lines[i + 1], fields] + lines[i + 2:])
        if what != "step":
            continue
        for place in range(2, len(fields)):
            changes = [(NAMES[place], another(fields[place]))]
            if NAMES[place] == "effects":
                changes = [(how, b" ".join(each)) for how, each in words(fields[place])]
            for how, new in changes:
                yield what, how, i, chained(lines[:i] + [fields[:place] + [new] + fields[place + 1:]] + lines[i + 1:])


def byte_alterations(raw):
    """(kind, what, index, bytes) for each record of a trace file, whose chain stays."""
    lines = raw.splitlines(keepends=True)
    for i, line in enumerate(lines):
        yield "record", "removed", i, b"".join(lines[:i] + lines[i + 1:])
        yield "record", "twice", i, b"".join(lines[:i] + [line] + lines[i:])
        if i + 1 < len(lines):
            yield "record", "swapped", i, b"".join(lines[:i] + [lines[i + 1], line] + lines[i + 2:])
        yield "record", "altered", i, b"".join(lines[:i] + [another(line[:-1]) + b"\n"] + lines[i + 1:])


class Attack:
    """Runs `vigil replay` on each alteration."""

    def __init__(self, o, folder, verdict):
        self.vigil, self.folder, self.verdict = o.vigil, folder, verdict

    def replay(self, name, content):
        """Exit status and what was said."""
        path = os.path.join(self.folder, name)
        with open(path, "wb") as f:
            f.write(content)
        done = subprocess.run([self.vigil, "replay", path], capture_output=True, text=True)
        os.unlink(path)
        return done.returncode, done.stdout, done.stderr

    def run(self, name, whole, alterations, unheld):
        """All of them; `unheld(kind, what, index)` gives the reason why one cannot be held, or None."""
        status, out, err = self.replay(name, whole)
        self.verdict.say("unaltered, nothing is found", status == 0, input=name, status=status,
                         words="" if status == 0 else (out + err)[-2000:])
        found, unnoticed, explained, examples = 0, collections.Counter(), collections.Counter(), {}

        def one(job):
            number, (what, how, index, content) = job
            return what, how, index, self.replay("%s.%d" % (name, number), content)[0]

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for what, how, index, status in pool.map(one, enumerate(alterations)):
                if status != 0:
                    found += 1
                    continue
                reason = unheld(what, how, index)
                if reason:
                    explained[reason] += 1
                else:
                    unnoticed["%s: %s" % (what, how)] += 1
                    examples.setdefault("%s: %s" % (what, how), index)
        self.verdict.say("every alteration is noticed or explained", not unnoticed, input=name, found=found,
                         explained=dict(explained), unnoticed=dict(unnoticed), examples=examples)


def attack_journal(attack):
    """The journal's records about one camera and its machine."""
    with open(os.path.join(attack.folder, "told.export"), "rb") as f:
        export = f.read()
    # Journald's own fields are of no use.
    records = [[(n, v) for n, v in e if n.startswith((b"VIGIL_", b"MESSAGE")) or n == b"__REALTIME_TIMESTAMP"]
               for e in entries(export)]
    # One run will do: the last one.
    run = value(records[-1], "VIGIL_RUN")
    records = [e for e in records if value(e, "VIGIL_RUN") == run]

    def unheld(what, how, index):
        if what != "step" and what not in REPORTS:
            return "%s is no report of a machine" % what
        if (what, how) in UNHELD:
            return UNHELD[what, how]
        if how == "swapped" and {what, kind(records[index + 1])} - set(REPORTS) - {"step"}:
            return "swapped with what is no report of a machine"
        if how == "swapped" and {what, kind(records[index + 1])} & {"clipOpened", "clipClosed", "clipIncomplete", "linkLost", "linkFailed"}:
            return "clips and the input tell in their own order, before the fact that answers them"
        if how.endswith("with MESSAGE"):
            return "%s is known to the shell alone" % how.split()[0]
        # With another name the first or the last step is one of another machine, of which nothing else is known.
        if what == "step" and index in (0, len(records) - 1) and how in ("removed", "VIGIL_TRACE", "VIGIL_RUN"):
            return "the begin or the end of a run: it may begin and end anywhere"
        return None

    attack.run("journal", text(records), ((*a[:3], text(a[3])) for a in journal_alterations(records)), unheld)
    cuts = []
    body = text(records)
    for keep_bytes in range(len(body) - len(text(records[-1:])) + 1, len(body)):
        if keep_bytes % 7:
            continue
        status, out, err = attack.replay("torn.export", body[:keep_bytes])
        if "ends within a record" not in err or status == 2:
            cuts.append((keep_bytes, status))
    attack.verdict.say("a torn last entry of the journal is named", not cuts, notNamed=cuts[:10])


def attack_trace(attack, path, camera):
    """The records of one camera's machine in the newest file of the trace."""
    with open(path, "rb") as f:
        raw = f.read()
    lines = [line.rsplit(b"\t", 1)[0].split(b"\t") for line in raw.splitlines()]
    begin = max(i for i, f in enumerate(lines) if f[1] == b"run")
    lines = lines[:1] + lines[begin:]
    mine = [f for f in lines if f[1] != b"step" or (f[3], f[4]) == (b"camera", camera.encode())]
    steps = [i for i, f in enumerate(mine) if f[1] == b"step"]

    def unheld(what, how, index):
        if what != "step":
            return "says nothing of a machine, and `vigil trace verify` holds it"
        if how == "wall time":
            return "when it was by the wall clock decides nothing"
        if index in (steps[0], steps[-1]) and how in ("removed", "name", "run", "machine"):
            return "the begin or the end of a run: it may begin and end anywhere"
        if how == "swapped" and mine[index + 1][1] != b"step":
            return "swapped with what says nothing of a machine"
        return None

    attack.run("anew.trace", chained(mine), trace_alterations(mine), unheld)
    whole = chained(mine)
    lasts = {len(whole.splitlines()) - 1}

    def unheld_bytes(_, how, index):
        return "cut off whole at the end: docs/design/trace.md" if how == "removed" and index in lasts else None

    attack.run("kept.trace", whole, byte_alterations(whole), unheld_bytes)
    bad = []
    end = len(whole.rstrip(b"\n").rsplit(b"\n", 1)[0]) + 1
    for cut in range(end + 1, len(whole)):
        status, out, err = attack.replay("torn.trace", whole[:cut])
        if "ends within a record: %d bytes" % (cut - end) not in err or status == 2:
            bad.append((cut, status))
    attack.verdict.say("a torn last record of the trace is named", not bad, cuts=len(whole) - end - 1, notNamed=bad[:10])


def record(o, verdict):
    """Records under trouble; gives the folder with the trace, and what the journal has of the camera in told.export."""
    own_journal(__file__)
    names = sorted({c[1] for c in CAMERAS})
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media] + names, check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-altered-")
    os.makedirs(folder, exist_ok=True)
    site = Site(o, folder)
    try:
        if not live(site, o.seconds, verdict):
            print("the cameras ended by themselves: nothing is judged")
            sys.exit(3)
        subprocess.run(["journalctl", "--sync"], check=True)
        with open(os.path.join(folder, "told.export"), "wb") as f:
            subprocess.run(["journalctl", "-o", "export", "--no-pager", "VIGIL_TRACE=" + o.camera, "+", "VIGIL_CAMERA=" + o.camera],
                           stdout=f, check=True)
    finally:
        site.end()
    return folder


def main():
    """Records, unless that was done, and attacks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--camera", default="pcmu", choices=[c[0] for c in CAMERAS])
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--again", help="a folder that was kept: what was recorded there is attacked again")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    o = parser.parse_args()
    verdict = Verdict()
    folder = o.again or record(o, verdict)
    attack = Attack(o, folder, verdict)
    attack_journal(attack)
    attack_trace(attack, sorted(glob.glob(folder + "/data/trace/*.trace"))[-1], o.camera)
    verdict.end(folder, o.keep or o.again)


if __name__ == "__main__":
    main()
