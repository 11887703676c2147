#!/usr/bin/python3
"""Says whether every coded frame that a camera sent is in the recorded files exactly once, and in order.

  compare.py SENT.jsonl --camera NAME [--track video|audio] [--whole] [--stamped] FILE…
The files are MP4 or CMAF track files of that camera in the order of their recording. Frames are compared by the hash of
their coded slices (video) or bytes (audio) with the camera's log. Prints one JSON object. Exit status 1 when a file has a
frame that does not follow the one before it, or files overlap; with --whole also when frames are missing between files.
Where the camera's scene repeats itself, the frames of a camera with `stamp` are told apart with --stamped.
"""
import argparse
import json
import sys

import mp4
import nal


def sent_hashes(path, camera, track, stamped=False):
    """What the camera sent of that track: hashes in order, with their numbers where they are stamped."""
    hashes = []
    with open(path) as log:
        for line in log:
            entry = json.loads(line)
            if entry["camera"] == camera and entry.get("track") == track:
                found = entry.get("sha256Slices") or entry["sha256"]
                hashes.append((entry["index"], found) if stamped else found)
    return hashes


def recorded_hashes(path, track, stamped=False):
    """What a file holds of that track: hashes in order, with their numbers where they are stamped."""
    file = mp4.File(path)
    hashes = []
    for t in file.tracks.values():
        if (t.codec in ("h264", "h265")) != (track == "video"):
            continue
        for sample in t.samples:
            parts = file.parts(t, sample)
            found = nal.digest(nal.slices(t.codec, parts) if track == "video" else parts)
            hashes.append((nal.stamp_of(parts), found) if stamped else found)
    return hashes


def align(sent, recorded, start):
    """Where in `sent`, from `start` on, the file begins: the place where most of it follows; None if its first frame was never sent."""
    best, length = None, 0
    for p in range(start, len(sent)):
        if sent[p] != recorded[0]:
            continue
        n = 0
        while n < len(recorded) and p + n < len(sent) and sent[p + n] == recorded[n]:
            n += 1
        if n > length:
            best, length = p, n
        if n == len(recorded):
            break
    return best, length


def main():
    """Compares and reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--camera", required=True)
    parser.add_argument("--track", default="video", choices=("video", "audio"))
    parser.add_argument("--whole", action="store_true", help="no frame may be missing between the files")
    parser.add_argument("--stamped", action="store_true", help="the frames carry their numbers")
    o = parser.parse_args()
    sent = sent_hashes(o.log, o.camera, o.track, o.stamped)
    report = {"camera": o.camera, "track": o.track, "sent": len(sent), "recorded": 0, "missingBetween": 0,
              "first": None, "last": None, "problems": []}
    after = 0
    for path in o.files:
        recorded = recorded_hashes(path, o.track, o.stamped)
        report["recorded"] += len(recorded)
        if not recorded:
            report["problems"].append("%s: no frame of this track" % path)
            continue
        place, length = align(sent, recorded, after)
        if place is None:
            earlier, _ = align(sent, recorded, 0)
            report["problems"].append("%s: its first frame was %s" % (
                path, "never sent" if earlier is None else "sent before the end of the file before it (overlap)"))
            continue
        if length < len(recorded):
            report["problems"].append("%s: frame %d of %d is not the one sent after frame %d" % (
                path, length, len(recorded), length - 1))
        if report["first"] is None:
            report["first"] = place
        else:
            report["missingBetween"] += place - after
        after = place + length
        report["last"] = after - 1
    if o.whole and report["missingBetween"]:
        report["problems"].append("%d frames missing between files" % report["missingBetween"])
    print(json.dumps(report))
    sys.exit(1 if report["problems"] or report["first"] is None else 0)


if __name__ == "__main__":
    main()
