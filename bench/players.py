#!/usr/bin/python3
"""Plays the demo with `vigil watch` in mpv and ffplay, without a display: live, and what was recorded.

  players.py [--vigil PATH] [--seconds 20]
Each plays for some seconds; live it is ended by Ctrl-C, as a terminal gives it. Prints one JSON line a player: the pictures that
it has shown and dropped (mpv), or dropped and found damaged (ffplay), how far sound and picture were apart at most, its warnings,
and for live how long the command took to end. Exit status 1 where a picture was dropped or damaged, nothing was played, or a
player outlived the command.
Packages: mpv ffmpeg
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time

from live import say
from play import demo
from record import HERE

# What mpv writes down ten times a second: position, distance of sound and picture, frames that came too late for the screen, and
# those that the decoder has left out.
SCRIPT = """
local file = io.open(os.getenv("VIGIL_BENCH_SEEN"), "w")
mp.add_periodic_timer(0.1, function()
  local position = mp.get_property_number("time-pos")
  if position then
    file:write(string.format('[%f, %f, %d, %d]\\n', position, mp.get_property_number("avsync", 0),
      mp.get_property_number("frame-drop-count", 0), mp.get_property_number("decoder-frame-drop-count", 0)))
    file:flush()
  end
end)
"""


def mpv_seen(path, output):
    """What mpv has written down."""
    with open(path) as f:
        seen = [json.loads(line) for line in f if line.endswith("\n")]
    if not seen:
        return {"playedS": 0}
    # While it begins, sound and picture are being brought together.
    apart = [abs(row[1]) for row in seen if row[0] > seen[0][0] + 2]
    return {"playedS": round(seen[-1][0] - seen[0][0], 1), "apartMs": round(1000 * max(apart, default=0)), "dropped": seen[-1][2],
            "droppedByDecoder": seen[-1][3], "said": [line for line in output.splitlines() if re.search("rror|nvalid|orrupt", line)]}


def ffplay_seen(output):
    """What the last line of ffplay's state says."""
    states = re.findall(r"([\d.]+) (?:A-V|M-V|M-A): *(-?[\d.]+) fd= *(\d+).*?f=(\d+)/(\d+)", output)
    if not states:
        return {"playedS": 0}
    begin, end = float(states[0][0]), float(states[-1][0])
    apart = [abs(float(row[1])) for row in states if float(row[0]) > begin + 2]
    return {"playedS": round(end - begin, 1), "apartMs": round(1000 * max(apart, default=0)), "dropped": int(states[-1][2]),
            "damaged": int(states[-1][3]) + int(states[-1][4]),
            "said": [line for line in re.split("[\r\n]", output) if re.search("rror while|nvalid|orrupt|oncealing", line)]}


def play(vigil, path, folder, name, words, seconds):
    """What one player does with what `words` name; live where they name nothing."""
    seen = os.path.join(folder, "seen-%s-%d" % (name, len(words)))
    open(seen, "w").close()
    environment = dict(os.environ, MPV_HOME=os.path.join(folder, "mpv"), VIGIL_BENCH_SEEN=seen, SDL_VIDEODRIVER="dummy",
                       SDL_AUDIODRIVER="dummy")
    player = {"mpv": "mpv --term-status-msg=", "ffplay": "ffplay -stats -loglevel info"}[name]
    with open(os.path.join(folder, "said"), "w+", errors="replace") as said:
        process = subprocess.Popen([vigil, "watch", "demo", *words, "--socket", path, "--player", player], env=environment,
                                   stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, start_new_session=True)
        facts = {}
        if not words:
            time.sleep(seconds)
            asked = time.monotonic()
            os.killpg(process.pid, signal.SIGINT)
            process.wait(30)
            facts = {"endedAfterMs": round(1000 * (time.monotonic() - asked))}
        else:
            process.wait(60 + 2 * seconds)
        left = subprocess.run(["pgrep", "-s", str(process.pid)], capture_output=True, text=True).stdout.split()
        said.seek(0)
        output = said.read()
    facts.update(mpv_seen(seen, output) if name == "mpv" else ffplay_seen(output))
    facts.update(status=process.returncode, outlived=len(left))
    say("%s, %s" % (name, "recorded" if words else "live"), **facts)
    return (facts["playedS"] > seconds / 2 and not left and not facts.get("dropped") and not facts.get("damaged")
            and process.returncode == (0 if words else -signal.SIGINT))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "../.build/release/vigil"))
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    good = True
    with demo(options) as folder:
        os.makedirs(os.path.join(folder, "mpv", "scripts"))
        with open(os.path.join(folder, "mpv", "mpv.conf"), "w") as f:
            f.write("vo=null\nao=null\n")
        with open(os.path.join(folder, "mpv", "scripts", "seen.lua"), "w") as f:
            f.write(SCRIPT)
        # For as long as is played, something must have been recorded before.
        time.sleep(options.seconds + 5)
        for name in ["mpv", "ffplay"]:
            for words in [[], ["-%ds" % (options.seconds + 1), "--to", "-1s"]]:
                good &= play(options.vigil, os.path.join(folder, "s"), folder, name, words, options.seconds)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
