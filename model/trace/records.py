"""Reads the steps of a trace: files of docs/design/trace.md, a folder of them, one of both compressed by xz, or what journalctl
wrote (-o export, or -o json --all) of a daemon whose journal carries the steps. What ends within a record is read up to there."""

import json
import lzma
import pathlib
import re
from dataclasses import dataclass, field

from module import Unreadable


FIELDS_AT_LEAST = 11        # of a step: a version of before wrote no effects, and no field for a state that is not there


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
    if len(parts) < FIELDS_AT_LEAST or parts[1] != "step":
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


def lines(data):
    """The lines of a text, and how many bytes stand behind the last one's end."""
    *whole, torn = data.split(b"\n")
    return [line.decode("utf-8", "replace") for line in whole], len(torn)


def exported(data):
    """The entries of a journal as journalctl exports it, and how many bytes stand behind the last one's end."""
    found, entry, rest, torn = [], {}, data, len(data)
    while rest:
        line, _, rest = rest.partition(b"\n")
        if not line:
            found.append(entry)
            entry, torn = {}, len(rest)
        elif b"=" in line:
            name, _, value = line.partition(b"=")
            entry[name.decode("utf-8", "replace")] = value.decode("utf-8", "replace")
        else:                                   # a value with its length before it
            size = int.from_bytes(rest[:8], "little")
            entry[line.decode("utf-8", "replace")] = rest[8:8 + size].decode("utf-8", "replace")
            rest = rest[9 + size:]
    return found, torn


def bytes_of(path):
    """What a file holds."""
    try:
        return lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes()
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror or error}: name a file or folder of a trace that may be read") from error
    except (EOFError, lzma.LZMAError) as error:
        raise Unreadable(f"{path}: it is cut short or damaged ({error}): compress the trace anew, `xz -t` tells whether it is whole") from error


def files(path):
    """The files of a trace that are in a folder."""
    try:
        found = sorted(p for p in path.iterdir() if re.search(r"\.trace(\.xz)?$", p.name))
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}: name a folder of a trace that may be read") from error
    if not found:
        raise Unreadable(f"{path}: no trace is in this folder: name a folder with files NUMBER-DAY.trace")
    return found


def steps(path):
    """The steps of a file or of a folder of trace files, in their order, and what was left out of them, in words."""
    path = pathlib.Path(path)
    if path.is_dir():
        parts = [steps(file) for file in files(path)]
        return [step for found, _ in parts for step in found], [words for _, left_out in parts for words in left_out]
    data, found = bytes_of(path), []
    form, make = (lines, of_line) if re.match(rb"\d+\t", data) else (exported, of_journal)
    if data[:1] == b"{":
        form, make = lines, lambda line: of_journal(json.loads(line)) if line else None
    whole, torn = form(data)
    for number, record in enumerate(whole, 1):
        try:
            found.append(make(record))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Unreadable(f"{path}: record {number} cannot be read ({type(error).__name__}: {error}): write the file anew; "
                             "`vigil trace verify` says what of a trace is damaged") from error
    return [step for step in found if step], [f"{path}: its last record is torn, {torn} bytes of it are left out"] if torn else []


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
