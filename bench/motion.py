#!/usr/bin/python3
"""Judges the motion detector on labelled clips, and Debian's `motion` and OpenCV's MOG2 on the same clips in the same run.

  motion.py [FOLDER] [--only PART] [--no-peers] [--full] [--altered] [--set NAME=NUMBER]… [--detect PROGRAM]
  motion.py --load CAMERAS [FOLDER] [--seconds S]

FOLDER holds clips NAME.mp4 with labels NAME.json (events_s: begin and end in seconds; labelled_frames and fps: what is scored;
tolerance_s; zone_normalised or zone_pixels: only motion in that rectangle is labelled). Without FOLDER a clip is made whose square
moves on a script. --altered judges altered copies of the clips instead, ours only. --only takes the clips whose name holds PART. --load measures the CPU of detection for many cameras.

How it is judged. A detector says at some moments that something moves; each such observation claims the time up to the next one,
but no longer than observations usually are apart. Claims at most 2 s apart are one detected event. A labelled event, widened by its
tolerance (0.2 s unless stated), is found when a detected event overlaps it. A detected event that overlaps no labelled event is
false. Precision = 1 - false / detected, recall = found / labelled, F1 their harmonic mean. Delay: from the begin of an event to
the first claim in it. Quiet time is what is labelled and in no widened event; "quiet alarmed" is the share of it that is
claimed, before claims are joined. CPU is user and system time of the process, per minute of video. Our detector rests while it is
certain (docs/design/detection.md), so "moving time covered" is low; --full does without the rest.

The peers. `motion` runs with its defaults on the file at the clip's own size (width, height, frame rate set), a mask for the zone;
it plays in real time, so its times are counted from when it opens the file, and the tolerance is a second more. MOG2
(history 300) sees 10 pictures a second, 320 pixels wide, after gain compensation (each picture scaled to the median brightness of a
running mean); it claims motion when the largest blob passes 0.03 % of the picture or zone in five observations in a row.
Packages: python3 ffmpeg
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
VENV = ROOT / ".build" / "bench-venv"
JOIN_S = 2.0
TOLERANCE_S = 0.2
SENSITIVITIES = (1, 5, 10)
REAL_TIME_SLACK_S = 1.0


def labels(path):
    """A clip's labels: file, events, scored interval, tolerance, zone as x, y, w, h in shares."""
    j = json.loads(path.read_text())
    fps = j["fps"]
    first, last = j["labelled_frames"]
    zone = None
    if "zone_normalised" in j:
        xs, ys = zip(*j["zone_normalised"])
        zone = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    elif "zone_pixels" in j:
        x, y, w, h = j["zone_pixels"]
        zone = (x / j["width"], y / j["height"], w / j["width"], h / j["height"])
    return {"name": path.stem, "path": path.with_suffix(".mp4"), "events": [tuple(e) for e in j["events_s"]],
            "scored": (first / fps, (last + 1) / fps), "tolerance": j.get("tolerance_s") or TOLERANCE_S, "zone": zone,
            "width": j["width"], "height": j["height"], "fps": fps, "seconds": j["frames"] / fps}


def scripted(folder):
    """A clip with a square that moves at 10-15 s and 25-30 s, and its labels."""
    subprocess.run(["/usr/bin/python3", ROOT / "Tests/rig/make_media.py", folder, "phases.mp4"], check=True,
                   stdout=subprocess.DEVNULL)
    path = pathlib.Path(folder) / "phases.json"
    path.write_text(json.dumps({"fps": 12.5, "frames": 375, "labelled_frames": [0, 374], "width": 640, "height": 360,
                                "events_s": [[10, 15], [25, 30]], "tolerance_s": 0.2}))
    return [labels(path)]


def joined(claims, gap):
    """Intervals, with those at most `gap` apart made one."""
    out = []
    for begin, end in sorted(claims):
        if out and begin - out[-1][1] <= gap:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([begin, end])
    return out


def cut(intervals, scored):
    """What of the intervals is scored."""
    return [(max(a, scored[0]), min(b, scored[1])) for a, b in intervals if min(b, scored[1]) > max(a, scored[0])]


def overlap(one, other):
    """Seconds that two sets of disjoint intervals share."""
    return sum(max(0.0, min(b, d) - max(a, c)) for a, b in one for c, d in other)


def judge(clip, claims, slack=0.0):
    """The figures of one clip."""
    scored, tolerance = clip["scored"], clip["tolerance"] + slack
    claims = joined(cut(claims, scored), 0.0)
    detected = joined(claims, JOIN_S)
    wide = [(a - tolerance, b + tolerance) for a, b in clip["events"]]
    moving = cut(joined(wide, 0.0), scored)
    hit = [[d for d in detected if min(b, d[1]) > max(a, d[0])] for a, b in wide]
    false = [d for d in detected if not any(min(b, d[1]) > max(a, d[0]) for a, b in wide)]
    delays = []
    for (a, b), (wa, wb) in zip(clip["events"], wide):
        first = [max(c, a) - a for c, d in claims if d > wa and c < wb]
        if first:
            delays.append(min(first))
    quiet = scored[1] - scored[0] - sum(b - a for a, b in moving)
    alarmed = sum(b - a for a, b in claims) - overlap(claims, moving)
    return {"events": len(wide), "found": sum(1 for h in hit if h), "detected": len(detected), "false": len(false),
            "delays": delays, "quiet": quiet, "alarmed": max(0.0, alarmed),
            "covered": overlap(claims, cut(clip["events"], scored)), "moving": sum(
                b - a for a, b in cut(clip["events"], scored))}


def whole(rows):
    """The figures of all clips together."""
    total = {k: sum(r[k] for r in rows) for k in ("events", "found", "detected", "false", "quiet", "alarmed", "covered",
                                                  "moving")}
    precision = 1 - total["false"] / total["detected"] if total["detected"] else 0.0
    recall = total["found"] / total["events"] if total["events"] else 0.0
    total["precision"], total["recall"] = precision, recall
    total["f1"] = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    total["quiet_alarmed"] = total["alarmed"] / total["quiet"] if total["quiet"] else 0.0
    total["delays"] = [d for r in rows for d in r["delays"]]
    return total


def timed(command, **options):
    """Runs a command to its end; its output and its CPU seconds."""
    process = subprocess.Popen(["nice"] + [str(c) for c in command], stdout=subprocess.PIPE, **options)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("bench: %s failed" % command[0])
    return output.decode(), usage.ru_utime + usage.ru_stime


def claims_of(times, flags):
    """From observations the intervals that they claim; the last one lasts as long as usual."""
    if len(times) < 2:
        return []
    step = statistics.median(b - a for a, b in zip(times, times[1:]))
    return [(t, t + step) for t, f in zip(times, flags) if f]


def detector(clip, program, settings):
    """Our detector: claims per sensitivity and its cost in CPU seconds."""
    command = [program] + [w for s in settings for w in (["--full"] if s == "full" else ["--set", s])]
    if clip["zone"]:
        command += ["--zone", ",".join("%.6f" % v for v in clip["zone"])]
    output, cpu = timed(command + [clip["path"]])
    lines = [json.loads(line) for line in output.splitlines()]
    cost = lines.pop()
    times = [o["t"] for o in lines]
    levels = [o["level"] for o in lines]
    return {"claims": {s: claims_of(times, [v is not None and v <= s for v in levels]) for s in SENSITIVITIES},
            "cpu": cpu, "detection": cost["detection_s"], "decoding": cost["decoding_s"]}


def mog2(clip):
    """OpenCV's MOG2; runs as a process of its own, so that its CPU time is its own."""
    command = [VENV / "bin" / "python", HERE / "peers" / "mog2.py", clip["path"]]
    output, cpu = timed(command + ["%.6f" % v for v in clip["zone"] or ()])
    told = json.loads(output)
    return {"claims": claims_of(told["times"], told["moving"]), "cpu": told["cpu"], "detection": told["detection"],
            "all": cpu}


def debian_motion(clip, folder):
    """Debian's motion on the file; claims are its events, without the pause that ends them."""
    place = pathlib.Path(folder) / clip["name"]
    place.mkdir()
    said = place / "said"
    note = "/bin/sh -c 'echo %s $(date +%%s.%%N) >> %s'"
    lines = ["daemon off", "setup_mode off", "log_file %s" % (place / "log"), "width %d" % (clip["width"] // 8 * 8),
             "height %d" % (clip["height"] // 8 * 8), "framerate %d" % max(2, round(clip["fps"])),
             "netcam_url file://%s" % clip["path"].resolve(), "picture_output off", "movie_output off", "event_gap 2",
             "webcontrol_port 0", "stream_port 0", "on_event_start " + note % ("begin", said),
             "on_event_end " + note % ("end", said)]
    if clip["zone"]:
        mask = place / "mask.pgm"
        width, height = clip["width"] // 8 * 8, clip["height"] // 8 * 8
        x, y, w, h = clip["zone"]
        rows = b"".join(bytes(255 if x * width <= i < (x + w) * width and y * height <= j < (y + h) * height else 0
                              for i in range(width)) for j in range(height))
        mask.write_bytes(b"P5\n%d %d\n255\n" % (width, height) + rows)
        lines.append("mask_file %s" % mask)
    (place / "motion.conf").write_text("\n".join(lines) + "\n")
    process = subprocess.Popen(["motion", "-n", "-c", place / "motion.conf"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    opened = None
    limit = time.time() + 20
    while opened is None and time.time() < limit and process.poll() is None:
        try:
            for entry in os.scandir("/proc/%d/fd" % process.pid):
                if os.readlink(entry.path) == str(clip["path"].resolve()):
                    opened = time.time()
        except OSError:
            pass
        time.sleep(0.01)
    if opened is None:
        process.kill()
        process.wait()
        return None
    time.sleep(clip["seconds"] + 0.3)
    process.send_signal(signal.SIGTERM)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    claims, begin = [], None
    for line in said.read_text().splitlines() if said.exists() else []:
        word, at = line.split()
        at = float(at) - opened
        if word == "begin":
            begin = at
        elif begin is not None:
            claims.append((begin, max(begin + 0.1, min(at, clip["seconds"] + 2.3) - 2.0)))
            begin = None
    if begin is not None:
        claims.append((begin, clip["seconds"]))
    return {"claims": claims, "cpu": usage.ru_utime + usage.ru_stime}


def prepare(peers):
    """Installs what the peers need."""
    wanted = ["ffmpeg", "python3"] + (["motion", "python3-venv"] if peers else [])
    subprocess.run([HERE / "packages"] + wanted, check=True)
    if peers and not (VENV / "bin" / "python").exists():
        subprocess.run(["/usr/bin/python3", "-m", "venv", VENV], check=True)
        subprocess.run([VENV / "bin" / "pip", "-q", "install", "numpy", "opencv-python-headless"], check=True)


def built():
    """Builds the program that runs the detector; where it is."""
    subprocess.run(["swift", "build", "-c", "release", "--product", "bench-detect"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    return ROOT / ".build" / "release" / "bench-detect"


def row(name, f, cpu, seconds, extra=""):
    """One line of a table."""
    delay = "%.1f" % statistics.mean(f["delays"]) if f["delays"] else "-"
    quiet = "%3.0f" % (100 * f["alarmed"] / f["quiet"]) if f["quiet"] > 0.05 else "  -"
    print("%-28s %3d %3d %3d %3d  %5s  %s %%  %6.2f  %s" % (
        name, f["events"], f["found"], f["events"] - f["found"], f["false"], delay, quiet, cpu * 60 / seconds, extra))


def summary(name, total, cpu, seconds, extra=""):
    """The last line of a table."""
    row("ALL", total, cpu, seconds, extra)
    print("%s: precision %.3f, recall %.3f, F1 %.3f, quiet alarmed %.1f %%, moving time covered %.0f %%, "
          "CPU %.2f s per minute\n" % (name, total["precision"], total["recall"], total["f1"],
                                       100 * total["quiet_alarmed"], 100 * total["covered"] / max(total["moving"], 1e-9),
                                       cpu * 60 / seconds))


HEAD = "%-28s evt fnd mis fls  delay  quiet  CPU s/min" % "clip"


def evaluate(clips, program, peers, settings):
    """Runs everything over the clips and prints the tables; True when the goals are met."""
    seconds = sum(c["seconds"] for c in clips)
    ours = {c["name"]: detector(c, program, settings) for c in clips}
    cpu = sum(o["cpu"] for o in ours.values())
    detection = sum(o["detection"] for o in ours.values())
    totals = {}
    for sensitivity in SENSITIVITIES:
        print("Vigil, sensitivity %d (last columns: decoding, detection s/min)\n%s" % (sensitivity, HEAD))
        rows = []
        for clip in clips:
            o = ours[clip["name"]]
            rows.append(judge(clip, o["claims"][sensitivity]))
            row(clip["name"], rows[-1], o["cpu"], clip["seconds"], "%.2f %.2f" % (
                o["decoding"] * 60 / clip["seconds"], o["detection"] * 60 / clip["seconds"]))
        totals[sensitivity] = whole(rows), rows
        summary("Vigil, sensitivity %d" % sensitivity, totals[sensitivity][0], cpu, seconds, "%.2f %.2f" % (
            (sum(o["decoding"] for o in ours.values())) * 60 / seconds, detection * 60 / seconds))
    ordered = all(set(o["claims"][1]) <= set(o["claims"][5]) <= set(o["claims"][10]) for o in ours.values())
    motion_cpu = None
    if peers:
        motion_cpu = run_peers(clips, seconds)
    total, rows = totals[5]
    worst = {c["name"]: r["alarmed"] / r["quiet"] for c, r in zip(clips, rows)
             if r["quiet"] > 0.05 and re.search("night|rain|brightness", c["name"])}
    goals = [("F1 at sensitivity 5 is %.3f, wanted 0.95" % total["f1"], total["f1"] >= 0.95),
             ("quiet time alarmed is %.1f %%, wanted at most 4" % (100 * total["quiet_alarmed"]),
              total["quiet_alarmed"] <= 0.04),
             ("detection without decoding is %.2f CPU s per minute, wanted at most 0.5" % (detection * 60 / seconds),
              detection * 60 / seconds <= 0.5),
             ("what sensitivity 1 finds is part of what 5 finds, and that of what 10 finds", ordered)]
    goals += [("quiet time alarmed on %s is %.1f %%, wanted at most 15" % (n, 100 * s), s <= 0.15)
              for n, s in sorted(worst.items())]
    if motion_cpu:
        goals.append(("all in, CPU is %.2f of motion's, wanted at most 0.5" % (cpu / motion_cpu), cpu <= 0.5 * motion_cpu))
    for what, met in goals:
        print("%s  %s" % ("met    " if met else "NOT MET", what))
    return all(met for _, met in goals)


def run_peers(clips, seconds):
    """Tables of the peers; gives motion's CPU seconds over all clips, nil when it could not run on each."""
    print("MOG2 with gain compensation and persistence (last column: detection s/min)\n" + HEAD)
    rows, cpu, told = [], 0.0, 0.0
    for clip in clips:
        m = mog2(clip)
        rows.append(judge(clip, m["claims"]))
        cpu, told = cpu + m["cpu"], told + m["detection"]
        row(clip["name"], rows[-1], m["cpu"], clip["seconds"], "%.2f" % (m["detection"] * 60 / clip["seconds"]))
    summary("MOG2", whole(rows), cpu, seconds, "%.2f" % (told * 60 / seconds))
    print("Debian's motion, defaults\n" + HEAD)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as several:
        told = list(several.map(lambda c: debian_motion(c, folder), clips))
    rows, cpu, ran = [], 0.0, 0.0
    for clip, m in zip(clips, told):
        if m is None:
            print("%-28s did not open the file" % clip["name"])
            continue
        rows.append(judge(clip, m["claims"], REAL_TIME_SLACK_S))
        cpu, ran = cpu + m["cpu"], ran + clip["seconds"]
        row(clip["name"], rows[-1], m["cpu"], clip["seconds"])
    if rows:
        summary("motion", whole(rows), cpu, ran)
    return cpu if rows and len(rows) == len(clips) else None


def measure_load(cameras, clips, program, seconds, folder):
    """CPU of many cameras with 640x360 sub-streams, each with a detector, on one pool."""
    source = max(clips, key=lambda c: c["width"] * c["height"] if c["seconds"] >= 20 else 0)
    print("%d cameras, 640x360, made of %s; %.0f s each" % (cameras, source["name"], seconds))
    print("rate  rests  process CPU of one core  decoding  detection  seen/fed  dropped  waiting at most")
    for rate, full in ((5, False), (5, True), (12.5, False), (12.5, True)):
        path = pathlib.Path(folder) / ("sub-%g.mp4" % rate)
        if not path.exists():
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source["path"], "-an", "-vf",
                            "scale=640:360,setsar=1,fps=%g" % rate, "-c:v", "libx264", "-profile:v", "baseline", "-g",
                            "%d" % (2 * rate), "-b:v", "500k", "-pix_fmt", "yuv420p", path], check=True)
        output, _ = timed([program, "--load", cameras, seconds] + ["--full"] * full + [path])
        f = json.loads(output)
        print("%4g  %5s  %21.1f %%  %6.1f %%  %7.1f %%  %d/%d  %d  %d" % (
            rate, "no" if full else "yes", 100 * f["cpu_s"] / (seconds + 1), 100 * f["decoding_s"] / (seconds + 1),
            100 * f["detection_s"] / (seconds + 1), f["observed"], f["fed"], f["dropped"], f["waiting_max"]))


ALTERED = {"mirrored": ("hflip", 23), "smaller": ("scale=trunc(iw*0.3)*2:trunc(ih*0.3)*2", 23),
           "darker": ("eq=brightness=-0.12:contrast=0.7", 23), "brighter": ("eq=brightness=0.08:contrast=1.2", 23),
           "noisy": ("noise=alls=12:allf=t", 26), "coarse": ("null", 38),
           "later": ("trim=start=0.13,setpts=PTS-STARTPTS", 23)}


def altered(clips, program, settings, folder):
    """Sensitivity 5 on copies of the clips that show the same otherwise; clips under 240 pixels of width stay large enough."""
    print("altered   F1     quiet alarmed")
    for name, (graph, coarseness) in ALTERED.items():
        copies = []
        for clip in clips:
            path = pathlib.Path(folder) / ("%s-%s.mp4" % (clip["name"], name))
            how = "scale=iw*0.8:ih*0.8" if name == "smaller" and clip["width"] < 240 else graph
            subprocess.run(["nice", "ffmpeg", "-v", "error", "-y", "-i", clip["path"], "-an", "-vf", how, "-c:v", "libx264",
                            "-preset", "superfast", "-crf", str(coarseness), "-g", "50", "-pix_fmt", "yuv420p", path],
                           check=True)
            x, y, w, h = clip["zone"] or (0, 0, 1, 1)
            zone = (1 - x - w, y, w, h) if name == "mirrored" else (x, y, w, h)
            copies.append({**clip, "path": path, "zone": clip["zone"] and zone})
        total = whole([judge(c, detector(c, program, settings)["claims"][5]) for c in copies])
        print("%-8s  %.3f  %.1f %%" % (name, total["f1"], 100 * total["quiet_alarmed"]))


def main():
    """Reads the words and runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--only", default="")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--full", action="store_true", help="the detector does not rest")
    parser.add_argument("--altered", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--detect", help="a bench-detect that is built already")
    parser.add_argument("--load", type=int)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    peers = not options.no_peers and not options.load and not options.altered
    prepare(peers)
    program = options.detect or built()
    with tempfile.TemporaryDirectory() as folder:
        if options.folder:
            place = pathlib.Path(options.folder)
            # bench/run runs in bench/; what is meant is relative to the project.
            place = place if place.exists() else ROOT / place
            clips = [labels(p) for p in sorted(place.glob("*.json"))
                     if p.with_suffix(".mp4").exists() and options.only in p.stem]
        else:
            clips = scripted(folder)
        if not clips:
            sys.exit("bench: there is no labelled clip in %s" % options.folder)
        if options.load:
            return measure_load(options.load, clips, program, options.seconds, folder)
        if options.altered:
            return altered(clips, program, options.set + ["full"] * options.full, folder)
        sys.exit(0 if evaluate(clips, program, peers, options.set + ["full"] * options.full) else 1)


if __name__ == "__main__":
    main()
