#!/usr/bin/python3
"""Judges the motion detector on night scenes as a camera with an infrared lamp sees them, which it makes itself.

  nights.py [--folder FOLDER] [--set tuning|held-out]… [--only KIND]… [--full] [--detect PROGRAM]…

There are two sets of scenes (bench/nights/scenes.py): the tuning set, on which the numbers of the detector were chosen, and the
held-out set, of other seeds, sizes, rates, weather and another resolution, which was written before and only judges. Each kind of
scene is there twice, 24 s each. What should be noticed is labelled by what draws it: a walker far (6 to 20 pixels high in the
small picture that the detector looks at) and near, somebody far away with a torch, somebody who comes straight to the camera, a
cat, a car, and walkers in rain, in snow, among insects and behind a spider's web. All else should stay quiet: insects that cross
in some pictures or turn before the lens, rain, snow, a web that swings, a spider that crawls, moths about a lamp, the light of a
car that is not in the picture, and nothing at all. The rules of judging are those of motion.py.

--folder keeps the scenes and takes those that are there. --only takes the kinds whose name holds KIND. --full: the detector does
not rest. --detect names a bench-detect that is built already; each one named gets its own column.
Packages: python3 python3-numpy ffmpeg
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

import motion

# What the exit status says, for sensitivity 5 on each set.
RECALL_WANTED = 0.8
QUIET_ALARMED_AT_MOST = 0.08


def prepared(folder, name, only):
    """The clips of a set, made where they are missing, by kind."""
    subprocess.run([motion.HERE / "packages", "ffmpeg", "python3", "python3-numpy"], check=True)
    from nights import scenes  # needs numpy, which is there now
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    kinds = [k for k in scenes.KINDS if not only or any(o in k for o in only)]
    wanted = [(kind, seed) for kind in kinds for seed in scenes.SETS[name]["seeds"]]
    with concurrent.futures.ProcessPoolExecutor(2) as several:
        paths = list(several.map(scenes.make, [place] * len(wanted), [name] * len(wanted), *zip(*wanted)))
    clips = {}
    for (kind, _), path in zip(wanted, paths):
        clips.setdefault(kind, []).append(motion.labels(path))
    return clips


def told(total):
    """One column: found of how many, false, quiet alarmed."""
    return "%2d/%-2d %3d %5.1f %%" % (total["found"], total["events"], total["false"], 100 * total["quiet_alarmed"])


def evaluate(name, clips, programs, settings):
    """Prints the table of a set; True when the last program meets the goals."""
    ours = [{c["name"]: motion.detector(c, program, settings) for group in clips.values() for c in group}
            for program in programs]
    rows = [{(c["name"], s): motion.judge(c, own[c["name"]]["claims"][s]) for group in clips.values() for c in group
             for s in motion.SENSITIVITIES} for own in ours]
    print("%s set; for each sensitivity (1, 5, 10)%s: found, false, quiet alarmed"
          % (name, " and program" if len(programs) > 1 else ""))
    groups = list(clips.items()) + [("ALL", [c for group in clips.values() for c in group])]
    for kind, group in groups:
        print("%-18s" % kind + " | ".join(" ".join(told(motion.whole([own[c["name"], s] for c in group])) for own in rows)
                                           for s in motion.SENSITIVITIES))
    seconds = sum(c["seconds"] for _, group in clips.items() for c in group)
    for own, row in zip(ours, rows):
        totals = [motion.whole([row[c["name"], s] for c in groups[-1][1]]) for s in motion.SENSITIVITIES]
        print("F1 %s; detection %.2f CPU s per minute" % (
            ", ".join("%.3f" % t["f1"] for t in totals), sum(o["detection"] for o in own.values()) * 60 / seconds))
    total = totals[1]
    goals = [("recall at sensitivity 5 is %.3f, wanted %.2f" % (total["recall"], RECALL_WANTED),
              not total["events"] or total["recall"] >= RECALL_WANTED),
             ("quiet time alarmed at sensitivity 5 is %.1f %%, wanted at most %.0f"
              % (100 * total["quiet_alarmed"], 100 * QUIET_ALARMED_AT_MOST), total["quiet_alarmed"] <= QUIET_ALARMED_AT_MOST)]
    for what, met in goals:
        print("%s  %s" % ("met    " if met else "NOT MET", what))
    print()
    return all(met for _, met in goals)


def main():
    """Reads the words and runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--set", action="append", choices=["tuning", "held-out"])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--detect", action="append")
    options = parser.parse_args()
    programs = options.detect or [motion.built()]
    with tempfile.TemporaryDirectory() as scratch:
        # bench/run runs in bench/; what is meant is relative to the project.
        folder = motion.ROOT / options.folder if options.folder else pathlib.Path(scratch)
        results = [evaluate(name, prepared(folder, name, options.only), programs, ["full"] * options.full)
                   for name in options.set or ["tuning", "held-out"]]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
