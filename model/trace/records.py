"""Reads the steps of a trace: files of docs/design/trace.md, a folder of them, one of both compressed by xz, or what journalctl
wrote (-o export, or -o json --all) of a daemon whose journal carries the steps."""

import json
import lzma
import pathlib
import re
from dataclasses import dataclass, field


@dataclass
class Step:
    """One record: a step of a machine, as it is written. Instants in milliseconds since boot, wall times since 1970."""
    kind: str
    name: str
    run: str
    seq: int
    at: int
    wall: int
    digest: str
    input: str
    effects: list           # words of docs/design/trace.md; None in a record of a version that had none
    state: str              # canonical JSON; empty where it is not written


@dataclass
class Machine:
    """The steps of one machine in one run, in their order."""
    kind: str
    name: str
    run: str
    steps: list = field(default_factory=list)


def unquoted(name):
    """A name as it was before it was written: bytes below 0x21, % and 0x7f stand as % and two digits."""
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda m: chr(int(m.group(1), 16)), name)


def of_line(line):
    """The step of a line of a trace; None of any other record."""
    parts = line.split("\t")
    if len(parts) < 10 or parts[1] != "step":
        return None
    body = parts[2:-1]
    known = len(body) >= 10
    return Step(body[1], unquoted(body[2]), body[0], int(body[3]), int(body[4]), int(body[5]), body[6], body[7],
                body[8].split() if known else None, body[9] if known else "".join(body[8:9]))


def of_journal(entry):
    """The step of an entry of a journal; None of any other."""
    if "VIGIL_TRACE" not in entry:
        return None
    effects = entry.get("VIGIL_EFFECTS")
    return Step(entry.get("VIGIL_MACHINE", "camera"), entry["VIGIL_TRACE"], entry.get("VIGIL_RUN", "")[:8], int(entry["VIGIL_SEQ"]),
                int(entry["VIGIL_AT"]), int(entry["__REALTIME_TIMESTAMP"]) // 1000, entry["VIGIL_DIGEST"], entry["VIGIL_INPUT"],
                None if effects is None else effects.split(), entry.get("VIGIL_STATE", ""))


def entries(data):
    """The entries of a journal as journalctl exports it, as JSON or in its own form."""
    if data[:1] == b"{":
        yield from (json.loads(line) for line in data.splitlines() if line)
        return
    entry, rest = {}, data
    while rest:
        line, _, rest = rest.partition(b"\n")
        if not line:
            yield entry
            entry = {}
        elif b"=" in line:
            name, _, value = line.partition(b"=")
            entry[name.decode()] = value.decode("utf-8", "replace")
        else:                                   # a value with its length before it
            size = int.from_bytes(rest[:8], "little")
            entry[line.decode()] = rest[8:8 + size].decode("utf-8", "replace")
            rest = rest[9 + size:]
    if entry:
        yield entry


def bytes_of(path):
    """What a file holds."""
    return lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes()


def steps(path):
    """The steps of a file or of a folder of trace files, in their order."""
    path = pathlib.Path(path)
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if re.search(r"\.trace(\.xz)?$", p.name))
        if not files:
            raise ValueError(f"{path}: no trace is in this folder: name a folder with files NUMBER-DAY.trace")
        return [step for file in files for step in steps(file)]
    data = bytes_of(path)
    if re.match(rb"\d+\t", data):
        found = [of_line(line) for line in data.decode("utf-8", "replace").split("\n")]
    else:
        found = [of_journal(entry) for entry in entries(data)]
    return [step for step in found if step]


def machines(found):
    """Steps by machine and run. A camera that was removed and added again begins with step 1 anew and is another machine."""
    latest, all_of_them = {}, []
    for step in found:
        key = (step.kind, step.name, step.run)
        if key not in latest or step.seq == 1:
            latest[key] = Machine(*key)
            all_of_them.append(latest[key])
        latest[key].steps.append(step)
    return all_of_them
