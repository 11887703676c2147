"""Compares what texts tell of the models with what it was counted from, so that no figure is older than its source. `.ci/tidy` asks it."""
import pathlib
import re

README, SURVIVORS, MEASURED = map(pathlib.Path, ("model/README.md", "model/survivors.md", "docs/MEASURED.md"))
SECOND, COMPARE = pathlib.Path("docs/design/second-reading.md"), pathlib.Path("model/second/compare")
MODELS, MUTANTS = pathlib.Path("model/cfg"), pathlib.Path("model/mutants")
EXPECTED, EXPLORED, REACHED = map(pathlib.Path, ("model/expected.txt", "model/explored.txt", "model/coverage/reached.txt"))
TOYS, EDGES = pathlib.Path("model/toys/expected.txt"), pathlib.Path("model/edges")
LARGEST = "Camera-product.safety"
# The rows of what is changed in a table, and the word of model/survivors.md for each.
KINDS = {"an effect is dropped": "drop", "an effect is doubled": "double", "effects are exchanged": "swap", "the event is ignored": "ignore",
         "the step is redirected": "redirect"}


def number(text):
    """What digits in groups say."""
    return int(re.sub(r"[ ,]", "", text))


def sizes(path, steps):
    """The states and steps of each graph that a file pins."""
    found = re.findall(rf"^(\S+) (?:ok )?states=(\d+) {steps}=(\d+)", path.read_text(), re.M)
    return {name: (int(states), int(edges)) for name, states, edges in found}


def rows(lines, head):
    """The rows below a head of a table, with the number of each line: its cells."""
    found = []
    for i, line in enumerate(lines, 1):
        if line.startswith(head):
            found = [None]
        elif found and not line.startswith("|"):
            break
        elif found and not line.startswith("|---"):
            found.append((i, [cell.strip() for cell in line.strip("|").split("|")]))
    return found[1:]


def asked(config):
    """The properties that a configuration asks: those of states and steps, and those of whole behaviours."""
    text = re.sub(r"\\\*.*", "", config.read_text())
    parts = {word: re.search(rf"^{word}\s+(.*?)(?=^[A-Z]+\b|\Z)", text, re.M | re.S) for word in ("INVARIANTS", "PROPERTIES")}
    return [parts[word].group(1).split() if parts[word] else [] for word in parts]


def broken(lines):
    """Findings about the table of what is broken in the models on purpose: each is in it, and violates what its row names. That holds
    where nothing is broken, unless it is a claim (T_...) that must be false."""
    found, told = [], {}
    verdicts = dict(re.findall(r"^(\S+) violated (.+) checked=\d+$", EXPECTED.read_text(), re.M))
    holding = {}
    for name in re.findall(r"^(\S+) ok ", EXPECTED.read_text(), re.M):
        holding.setdefault(re.split(r"[.-]", name)[0], set()).update(sum(asked(MODELS / f"{name}.cfg"), []))
    for i, (name, _, named) in rows(lines, "| configuration | what is broken, or claimed |"):
        name, named = name.strip("`"), named.strip("`")
        told[name] = i
        config, violated = MODELS / f"{name}.cfg", verdicts.get(name)
        if violated == "temporal property":
            behaviours = asked(config)[1]
            violated = behaviours[0] if len(behaviours) == 1 else "one of %d" % len(behaviours)
        if violated != named:
            found.append((README, i, "%s violates %s" % (name, violated)))
        elif not named.startswith("T_") and named not in holding.get(re.split(r"[.-]", name)[0], set()):
            found.append((README, i, "no configuration shows that %s holds where nothing is broken" % named))
    for config in sorted(MODELS.glob("*.cfg")):
        if re.search(r"\.(teeth|finding)-", config.name) and config.stem not in told:
            found.append((README, 1, "the table of what is broken lacks %s" % config.stem))
    return found


def graphs(lines):
    """Findings about the graphs that are compared with the models: each is in the table, as it is pinned."""
    found, told, pinned = [], set(), sizes(EXPECTED, "transitions")
    for i, (name, states, edges, how) in rows(lines, "| graph | states | steps | compared |"):
        told.add(name)
        is_digest = (EDGES / f"{name}.digest").exists()
        if (int(states), int(edges)) != pinned.get(f"{name}.edges") or how != ("digests" if is_digest else "line by line"):
            found.append((MEASURED, i, "%s has %s" % (name, pinned.get(f"{name}.edges", "no graph"))))
    found += [(MEASURED, 1, "the table of graphs lacks %s" % name) for name in (n.removesuffix(".edges") for n in pinned if n.endswith(".edges"))
              if name not in told]
    return found


def worlds(lines):
    """Findings about the table that bench/worlds.py has printed: together its rows are what is pinned."""
    found, left = [], sizes(EXPLORED, "edges")
    for i, (name, states, edges, *_) in rows(lines, "| graph | states | steps | promises |"):
        if name.endswith(" others"):
            sums = len(left), *(sum(size[n] for size in left.values()) for n in (0, 1))
            if (int(name.split()[0]), int(states), int(edges)) != sums:
                found.append((MEASURED, i, "the others are %d graphs with %d states and %d steps" % sums))
        elif left.pop(name, None) != (int(states), int(edges)):
            found.append((MEASURED, i, "%s is another one in %s" % (name, EXPLORED)))
    return found


def tables(lines, survivors):
    """Findings about how many mutants of the explored tables are killed: they are the sums over model/survivors.md."""
    found, text = [], re.sub(r",\n    (?=redirect)", ", ", "\n".join(survivors))
    for i, (what, killed, alone) in rows(lines, "| what is changed | killed |"):
        kind = KINDS.get(what)
        pairs = re.findall(rf"^    (?:drop \d+/.*)?\b{kind} (\d+)/(\d+)", text, re.M)
        sums = [sum(int(pair[n]) for pair in pairs) for n in (0, 1)]
        sums.append(sum(map(int, re.findall(rf"^    independently: .*?\b{kind} (\d+)", text, re.M))))
        if [number(part) for part in [*killed.split(" of "), alone]] != sums:
            found.append((MEASURED, i, "%s: %d of %d, and %d" % (kind, *sums)))
    return found


def unnoticed(lines):
    """Findings about the mutants that are explained as noticed by nobody: they are those whose files say so."""
    told = {name.strip("`"): i for i, (name, _) in rows(lines, "| mutant | why |")}
    named = {path.stem for path in MUTANTS.glob("*.txt") if re.search(r"^also: nobody$", path.read_text(), re.M)}
    return [(SURVIVORS, told.get(name, 1), "%s is noticed, or is not explained" % name) for name in sorted(set(told) ^ named)]


def coverage(lines):
    """Findings about which view reaches most of a folder."""
    found, pinned = [], [line.split() for line in REACHED.read_text().splitlines() if not line.startswith("#")]
    for i, (folder, _, _, most, *_) in rows(lines, "| folder | branches | reached | most |"):
        counts = {view: int(part.split("=")[1].split(":")[0]) for view, *parts in pinned for part in parts if part.startswith(folder + "=")}
        view, _, count = most.rpartition(" ")
        best = max(counts.items(), key=lambda one: one[1], default=("nobody", 0))
        if count != str(best[1]) or counts.get(view.strip("`")) != best[1]:
            found.append((MEASURED, i, "of %s %s reaches most: %d" % (folder, *best)))
    return found


def counted():
    """What is told in sentences: page, form, and what the groups of the form must be."""
    explored, checked = sizes(EXPLORED, "edges"), sizes(EXPECTED, "transitions")
    mutants = [path.read_text() for path in MUTANTS.glob("*.txt")]
    alone = sum(bool(re.search(r"^also: nobody$", text, re.M)) for text in mutants)
    most = [max(checked.items(), key=lambda one: one[1][n]) for n in (0, 1)]
    toys = TOYS.read_text().splitlines()
    read = re.findall(r"\w+", re.search(r"for view in \((.*?)\)", COMPARE.read_text()).group(1))
    read = [(EDGES / f"Camera-{view}.edges").read_text().count("\n") for view in read]
    views = sum(not line.startswith("#") for line in REACHED.read_text().splitlines())
    return [
        (README, r"All ([\d,]+) configurations", [len(list(MODELS.glob("*.cfg")))]),
        (README, r"the Swift machine has ([\d,]+) and ([\d,]+)", explored[LARGEST]),
        (README, r"meets has ([\d,]+) states \(`([\w.-]+)`\) or ([\d,]+) transitions \(`([\w.-]+)`\)",
         [most[0][1][0], most[0][0], most[1][1][1], most[1][0]]),
        (README, r"is met in ([\d,]+) steps", [explored[LARGEST][1]]),
        (SURVIVORS, r"`model/mutants` has ([\d,]+) mutants. ([\d,]+) are noticed", [len(mutants), len(mutants) - alone]),
        (SURVIVORS, r"([\d,]+) are survivors of the second kind", [alone]),
        (SECOND, r"([\d,]+) graphs, ([\d,]+) edges, then", [len(read), sum(read)]),
        (MEASURED, r"all ([\d,]+) questions about ([\d,]+) toy systems", [sum(" ok " not in line for line in toys), sum(" ok " in line for line in toys)]),
        (MEASURED, r"`make coverage`[^:]*: ([\d,]+) views", [views]),
        (MEASURED, r"has `Camera-product.safety` with ([\d,]+) states and ([\d,]+) steps", explored[LARGEST]),
    ]


def findings(texts):
    """Everything that does not agree."""
    found = broken(texts[README]) + graphs(texts[MEASURED]) + worlds(texts[MEASURED]) + tables(texts[MEASURED], texts[SURVIVORS])
    found += unnoticed(texts[SURVIVORS]) + coverage(texts[MEASURED])
    for page, form, right in counted():
        text = " ".join(texts[page])
        told = [list(match.groups()) for match in re.finditer(form, text)]
        if [[number(one) if re.fullmatch(r"[\d ,]+", one) else one for one in groups] for groups in told] != [list(right)]:
            found.append((page, 1, "it must say once `%s`: %s, not %s" % (form, list(right), told)))
    return found
