"""Asks TLC what the configurations of this folder ask, and says in lines what it answers: what `run` pins."""

import hashlib
import pathlib
import re
import tempfile

from checker import tlc

HERE = pathlib.Path(__file__).resolve().parent
EDGES = HERE / "edges"
# The golden graphs that differ from what was found.
EDGES_DIFFER = []
LINES_AT_MOST = 7000  # a golden file that is longer becomes a digest per region


def verdict(text):
    if "No error has been found" in text:
        return "ok"
    for pattern, form in (
        (r'"VIOLATED (\S+)"', "violated {}"),
        (r"(?:Invariant|Action property) (\S+) is violated", "violated {}"),
        (r"Temporal properties were violated", "violated temporal property"),
        (r"Deadlock reached", "deadlock"),
        (r"(Error: .*)", "{}"),
    ):
        found = re.search(pattern, text)
        if found:
            return form.format(*found.groups())
    return "no verdict"


def counts(text):
    found = re.search(r"^(\d+) states generated, (\d+) distinct states found", text, re.M)
    depth = re.search(r"depth of the complete state graph search is (\d+)", text)
    initial = re.search(r"initial states: (\d+) distinct", text)
    if not found:
        return ""
    first = int(initial.group(1)) if initial else 1
    return f"states={found.group(2)} transitions={int(found.group(1)) - first}" + (f" depth={depth.group(1)}" if depth else "")


def names(config, section):
    """The names listed under INVARIANTS or PROPERTIES of a configuration."""
    text = re.sub(r"\\\*.*", "", config.read_text())
    found = re.search(rf"^{section}\s+(.*?)(?=^[A-Z]+\b|\Z)", text, re.M | re.S)
    return found.group(1).split() if found else []


def reached(module, config):
    """Every Reach_ invariant must be violated; the length of the shortest way is pinned.

    One run for all: a generated module notes the first state that violates each, and stops at the last one.
    """
    wanted = names(config, "INVARIANTS")
    text = config.read_text()
    head = text[: text.index("INVARIANTS")]
    body = ["---- MODULE Reached ----", f"EXTENDS {module}", f"ASSUME \\A i \\in 1..{len(wanted)} : TLCSet(i, FALSE)"]
    for i, name in enumerate(wanted, 1):
        body.append(f'Note{i} == {name} \\/ TLCGet({i}) \\/ (PrintT("REACHED {name} " \\o ToString(TLCGet("level"))) /\\ TLCSet({i}, TRUE))')
    body.append("Noted == " + " /\\ ".join(f"Note{i}" for i in range(1, len(wanted) + 1)))
    body.append(f"Missing == \\E i \\in 1..{len(wanted)} : ~TLCGet(i)")
    body.append("====")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Reached.tla").write_text("\n".join(body))
        (pathlib.Path(folder) / "Reached.cfg").write_text(head + "INVARIANTS\n    Noted\n    Missing\n")
        said = tlc("Reached", "Reached.cfg", folder)
    level = {}
    for name, found in re.findall(r'"REACHED (\S+) (\d+)"', said):
        level[name] = min(int(found), level.get(name, int(found)))
    if verdict(said) not in ("ok", "violated Missing"):
        yield f"{config.stem} {verdict(said)}"
    for name in wanted:
        yield f"{config.stem} {name} " + (f"violated steps={level[name]}" if name in level else "not violated")


def edges(module, config, write):
    """One line per transition, sorted; a golden file, or digests per region where it would be too long to read."""
    said = tlc(module, config)
    lines = sorted(line[1:-1] for line in said.splitlines() if line.startswith('"') and " | " in line)
    digest = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
    name = config.stem.replace(".edges", "")
    if len(lines) <= LINES_AT_MOST:
        file, body = EDGES / f"{name}.edges", "".join(line + "\n" for line in lines)
    else:
        regions = {}
        for line in lines:
            regions.setdefault(line.split(" ", 1)[0], []).append(line)
        file, body = EDGES / f"{name}.digest", "".join(
            f"{region} lines={len(part)} sha256={hashlib.sha256(''.join(x + chr(10) for x in part).encode()).hexdigest()}\n"
            for region, part in sorted(regions.items()))
    same = file.exists() and file.read_text() == body
    if write:
        EDGES.mkdir(exist_ok=True)
        for other in EDGES.glob(f"{name}.*"):
            other.unlink()
        file.write_text(body)
    elif not same:
        EDGES_DIFFER.append(file.name)
        print(f"DIFFERENT {file.relative_to(HERE)}")
    if len(lines) != len(set(lines)):
        print(f"{config.stem}: two equal lines, so the text of a state or event hides something")
    yield f"{config.stem} {verdict(said)} {counts(said)} lines={len(lines)} sha256={digest}"


def answers(config, write):
    """The lines of one configuration."""
    name, question = config.stem.split(".", 1)
    module = name.split("-")[0]  # Session-preview.edges is a view of Session
    if question.startswith("reach"):
        yield from reached(module, config)
    elif question.startswith("edges") or ".edges" in config.stem:
        yield from edges(module, config, write)
    else:
        said = tlc(module, config)
        checked = names(config, "INVARIANTS") + names(config, "PROPERTIES")
        # A violation ends the run at a moment that may depend on the machine, so only its name is pinned.
        found = verdict(said)
        yield f"{config.stem} {found} " + (f"{counts(said)} checked={len(checked)}" if found == "ok" else f"checked={len(checked)}")


def as_it_should_be(line):
    """Witnesses and seeded faults must violate something; everything else must hold."""
    if "Reach_" in line:
        return "violated steps" in line
    return (" violated " in line) if re.search(r"\.(teeth|finding)", line.split(" ")[0]) else (" ok " in line)
