#!/usr/bin/python3
"""Shows that players give the frames of the clips, holes where coverage has them, and at any time the frame of that time.

  seek.py [--vigil PATH] [--minutes 6] [--seeks 200] [--seed 1] [--keep FOLDER] [--browsers chromium,firefox]
          [--no-players]
A daemon records the demo camera in clips of 20 s, with holes at random moments: recording is disabled, privacy is on, the
daemon is restarted or killed. Then recording is off, and these are compared with the frames of the clips' own files, which
ffmpeg decodes one by one:
- the clock of all frames with the recording's times: what was late, and what is missing without a hole;
- HLS, DASH and MP4 of the whole time by ffmpeg, MP4 by mpv: the same frames by MD5, in order, none missing or twice, at their
  times; also where the time ends with the last clip;
- the holes of the playlists and of the manifest with the clips and with coverage;
- at random times within what was recorded, at the borders of clips and in holes: the picture of the moment, seeks of ffmpeg in
  MP4, and the place in HLS that its EXT-X-START names (ffmpeg 5.1 cannot seek in HLS of fragmented MP4, its own included): the
  frame, known by the demo's clock in the picture, is that of the time asked for;
- the same times on the page in chromium and in firefox-esr, which play HLS by Media Source Extensions; steps on it (Shift and
  arrow) show each frame over borders of clips; it tells holes.
Whether the recording's times are those of the clock is judged beside: a machine with too much to do records late. Prints one JSON
line a part. Exit status 1 if one failed. `--minutes 0` with `--keep` judges what that folder holds; `--no-players` leaves out all
but the holes and the page. Paths are seen from where bench/run was called.
Packages: ffmpeg mpv chromium firefox-esr
"""
import argparse
import os
import random
import tempfile
import time

from record import HERE, Verdict
from seeking.clock import ms, stamp
from seeking.lists import holes
from seeking.moments import Asked, ask_pictures, moments, seeks
from seeking.page import PROGRAMS, Questions
from seeking.players import in_time, players, reference
from seeking.site import Site, clips_of, record


def main():
    """Records, reads and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--seeks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--browsers", default=",".join(PROGRAMS), help="of these, or nothing")
    parser.add_argument("--no-players", action="store_true")
    o = parser.parse_args()
    # bench/run goes into its own folder; where it came from, it tells.
    called = os.environ.get("BENCH_CALLED_FROM", "")
    folder = os.path.abspath(os.path.join(called, o.keep) if o.keep else tempfile.mkdtemp(prefix="vigil-seek-"))
    os.makedirs(folder, exist_ok=True)
    verdict, dice = Verdict(), random.Random(o.seed)
    site = Site(os.path.abspath(os.path.join(called, o.vigil)), folder)
    try:
        if o.minutes:
            site.do("enable", "demo")
            verdict.say("recorded", True, minutes=o.minutes, holes=record(site, o.minutes, dice))
        judge(o, site, dice, verdict)
    finally:
        site.end()
    verdict.end(folder, o.keep)


def judge(o, site, dice, verdict):
    """All parts."""
    clips = clips_of(site)
    exact = "from=%s&to=%s" % (clips[0]["start"], clips[-1]["end"])
    span = "from=%s&to=%s" % (clips[0]["start"], stamp(ms(clips[-1]["end"]) + 2000))
    time.sleep(3)
    frames = reference(site, clips, verdict)
    in_time(clips, frames, verdict)
    holes(site, clips, span, verdict)
    asked, times = Asked(frames), moments(frames, o.seeks, dice)
    questions = Questions(site, clips, asked, times, dice)
    if not o.no_players:
        movie = players(site, frames, span, exact, verdict)
        ask_pictures(site, clips, asked, times, dice, verdict)
        seeks(site, asked, times, span, movie, verdict)
    for name in filter(None, o.browsers.split(",")):
        questions.ask(name, verdict)


if __name__ == "__main__":
    main()
