#!/usr/bin/python3
"""Makes the media that the rig's cameras play, with ffmpeg, into a folder; a file that is there already is kept.

  make_media.py FOLDER [NAME…]      without names: all but the big bench files; --list tells them
Every video shows a running clock and flashes white for two frames at each full second while the audio beeps for 80 ms,
so lip sync can be measured. The scene's noise makes every frame different from every other.
"""
import argparse
import os
import subprocess
import sys

CLOCK = "drawtext=text='%{pts\\:hms}':x=16:y=16:fontsize=h/12:fontcolor=white:box=1:boxcolor=black"
FLASH = "drawbox=t=fill:color=white:enable='lt(mod(t+0.0005,1),0.079)'"
BEEP = "aevalsrc='0.05*(random(0)-0.5)+if(lt(mod(t,1),0.08),0.6*sin(2*PI*1000*t),0)':s=%d:d=%g"
X264 = "-c:v libx264 -preset veryfast -x264-params scenecut=0:open-gop=0 -pix_fmt yuv420p".split()
X265 = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params"]
AAC = "-c:a aac -b:a 48k -ac 1".split()


def scene(size, rate, seconds):
    """The moving scene as ffmpeg input arguments."""
    return ["-f", "lavfi", "-i", "testsrc2=s=%s:r=%s:d=%g,noise=alls=6:allf=t,%s,%s" % (
        size, rate, seconds, FLASH, CLOCK)]


def beep(rate, seconds):
    """The beeping audio as ffmpeg input arguments."""
    return ["-f", "lavfi", "-i", BEEP % (rate, seconds)]


def phases():
    """Ten seconds still, then five moving, twice: a square crosses an unchanging picture. The phases are in the name's doc."""
    square = ("color=gray:s=640x360:r=12.5:d=30[b];color=white:s=80x80:r=12.5:d=30[q];"
              "[b][q]overlay=x='20+if(between(mod(t,15),10,15),(mod(t,15)-10)*100,0)':y=140,noise=alls=3:allf=t")
    return ["-f", "lavfi", "-i", square]


def stage(size, seconds, moves, rate=12.5, period=6):
    """A room with a few things in it, and a square that rests, or goes to and fro, or does so for the first `moves` seconds:
    files with one stage can be switched between, which makes a scene that moves when a script says so. A square that goes to
    and fro for a while is back where it rests after each `period` seconds, and always equally fast; one that moves all the time
    (`moves` True) wanders, for a detector takes what repeats itself for a thing that sways, and rightly so."""
    height = int(size.split("x")[1])
    unit = height // 18
    room = "".join(",drawbox=x=%d:y=%d:w=%d:h=%d:t=fill:color=%s" % (
        x * unit, y * unit, w * unit, h * unit, color) for x, y, w, h, color in (
            (0, 14, 40, 4, "0x505050"), (2, 1, 5, 4, "0xA0A080"), (20, 2, 7, 3, "0x607090"), (12, 15, 4, 2, "0x909090")))
    until = seconds if moves is True else moves
    amplitude = 4 * period * unit
    x, y = str(2 * unit), str(8 * unit)
    if moves is True:
        period, y = 7.3, "%d+%d*sin(2*PI*t/11.9)" % (8 * unit, 2 * unit)
    if moves:
        x = "%d+%d*lt(t,%g)*(1-abs(1-mod(t,%g)/%g))" % (2 * unit, amplitude, until, period, period / 2)
    return ["-f", "lavfi", "-i", "color=gray:s=%s:r=%g:d=%g%s[b];color=white:s=%dx%d:r=%g:d=%g[q];"
            "[b][q]overlay=x='%s':y='%s',noise=alls=3:allf=t" % (
                size, rate, seconds, room, 4 * unit, 4 * unit, rate, seconds, x, y)]


def gop(frames, *more):
    """A fixed distance of key frames."""
    return ["-g", str(frames), "-keyint_min", str(frames), *more]


RECIPES = {
    # name: (what it is, ffmpeg arguments)
    "h264-aac.mp4": ("H.264 720p25 without B frames, GOP 2 s, AAC 16 kHz, 20 s",
                     scene("1280x720", 25, 20) + beep(16000, 20) + X264 + gop(50, "-bf", "0", "-b:v", "1500k") + AAC),
    "h265-aac.mp4": ("H.265 720p25, GOP 2 s, AAC 16 kHz, 20 s",
                     scene("1280x720", 25, 20) + beep(16000, 20) + X265 + [
                         "keyint=50:min-keyint=50:scenecut=0:bframes=0:open-gop=0:log-level=error", "-b:v", "1200k",
                         "-tag:v", "hvc1"] + AAC),
    "h265-bframes.mp4": ("H.265 360p25 with B frames, 12 s",
                         scene("640x360", 25, 12) + X265 + [
                             "keyint=50:min-keyint=50:scenecut=0:bframes=3:open-gop=0:log-level=error", "-b:v", "700k",
                             "-tag:v", "hvc1"]),
    "h264-pcmu.mkv": ("H.264 360p12.5 Baseline, G.711 mu-law, 20 s",
                      scene("640x360", 12.5, 20) + beep(8000, 20) + X264 + ["-profile:v", "baseline"]
                      + gop(25, "-b:v", "500k") + ["-c:a", "pcm_mulaw", "-ac", "1"]),
    "h264-pcma.mkv": ("H.264 360p12.5 Baseline, G.711 A-law, 20 s",
                      scene("640x360", 12.5, 20) + beep(8000, 20) + X264 + ["-profile:v", "baseline"]
                      + gop(25, "-b:v", "500k") + ["-c:a", "pcm_alaw", "-ac", "1"]),
    "h264-longgop.mp4": ("H.264 360p25, key frame each 10 s, AAC, 30 s",
                         scene("640x360", 25, 30) + beep(16000, 30) + X264 + gop(250, "-bf", "0", "-b:v", "600k") + AAC),
    "h264-minutes.mp4": ("H.264 360p12.5, key frame each 90 s, AAC, 180 s",
                         scene("640x360", 12.5, 180) + beep(16000, 180) + X264
                         + gop(1125, "-bf", "0", "-b:v", "300k") + AAC),
    "h264-onekey.mp4": ("H.264 360p12.5, a single key frame, 60 s",
                        scene("640x360", 12.5, 60) + X264 + gop(100000, "-bf", "0", "-b:v", "300k")),
    "h264-bframes-aac.mp4": ("H.264 360p25 with three B frames, AAC, 12 s",
                             scene("640x360", 25, 12) + beep(16000, 12) + X264
                             + gop(50, "-bf", "3", "-b_strategy", "0", "-b:v", "700k") + AAC),
    "h264-opus.mkv": ("H.264 360p25, Opus 48 kHz, 20 s",
                      scene("640x360", 25, 20) + beep(48000, 20) + X264 + gop(50, "-bf", "0", "-b:v", "700k")
                      + ["-c:a", "libopus", "-b:a", "32k", "-ac", "1"]),
    "h264.mp4": ("H.264 360p25, no audio, 12 s",
                 scene("640x360", 25, 12) + X264 + gop(25, "-bf", "0", "-b:v", "600k")),
    "h264-480.mp4": ("H.264 480x270, no audio, 12 s: another resolution to switch to",
                     scene("480x270", 25, 12) + X264 + gop(25, "-bf", "0", "-b:v", "400k")),
    "audio.m4v": ("AAC 16 kHz without video, 20 s", beep(16000, 20) + AAC + ["-f", "mp4"]),
    "l16.wav": ("PCM 16 kHz, 20 s: audio=FILE for a camera with L16", beep(16000, 20) + ["-c:a", "pcm_s16le"]),
    "g726.g726le": ("G.726 32 kbit/s, 20 s: audio=FILE for a camera with G.726",
                    beep(8000, 20) + ["-c:a", "g726le", "-b:a", "32k", "-ac", "1", "-f", "g726le"]),
    "phases.mp4": ("still 0-10 s, a square moves 10-15 s, still 15-25 s, moves 25-30 s",
                   phases() + X264 + gop(25, "-bf", "0", "-b:v", "300k")),
    "still.mp4": ("360p12.5, GOP 2 s, a square rests, 12 s",
                  stage("640x360", 12, False) + X264 + gop(25, "-bf", "0", "-b:v", "300k")),
    "moving.mp4": ("360p12.5, GOP 2 s, the square of still.mp4 goes to and fro, 60 s",
                   stage("640x360", 60, True) + X264 + gop(25, "-bf", "0", "-b:v", "300k")),
    "burst.mp4": ("360p12.5, GOP 2 s, the square of still.mp4 goes away and is back within 1.2 s, then it rests, 120 s",
                  stage("640x360", 120, 1.2, period=1.2) + X264 + gop(25, "-bf", "0", "-b:v", "300k")),
    "still-sub.mp4": ("180p12.5, GOP 2 s: a sub-stream of still.mp4",
                      stage("320x180", 12, False) + X264 + gop(25, "-bf", "0", "-b:v", "150k")),
    "moving-sub.mp4": ("180p12.5, GOP 2 s: a sub-stream of moving.mp4",
                       stage("320x180", 60, True) + X264 + gop(25, "-bf", "0", "-b:v", "150k")),
    "quiet-sub.mp4": ("360p5, GOP 2 s: a sub-stream in which the square moves for 12 of 30 s",
                      stage("640x360", 30, 12, 5) + X264 + gop(10, "-bf", "0", "-b:v", "200k")),
    "busy.mp4": ("H.264 1080p25 at 4 Mbit/s, key frame each 5 s, AAC, 20 s: all of it moves, and costs a detector most",
                 scene("1920x1080", 25, 20) + beep(16000, 20) + X264
                 + gop(125, "-bf", "0", "-b:v", "4M", "-maxrate", "4M", "-bufsize", "2M") + AAC),
    "bench-4m.mp4": ("H.264 1080p25 at a constant 4 Mbit/s, GOP 2 s, 20 s",
                     scene("1920x1080", 25, 20) + X264 + gop(50, "-bf", "0", "-b:v", "4M", "-minrate", "4M", "-maxrate",
                                                             "4M", "-bufsize", "2M") + ["-nal-hrd", "cbr"]),
}
BIG = {"bench-4m.mp4", "busy.mp4"}


def make(folder, name):
    """Makes one file unless it is there; under another name first, so that a broken run leaves none behind."""
    target = os.path.join(folder, name)
    if os.path.exists(target):
        return target
    _, arguments = RECIPES[name]
    part = os.path.join(folder, ".%d-%s" % (os.getpid(), name))
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + arguments + [part]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        if os.path.exists(part):
            os.unlink(part)
        sys.exit("%s: ffmpeg failed: %s" % (name, done.stderr.strip()))
    os.rename(part, target)
    return target


def main():
    """Makes what is asked for and prints the paths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list or not options.folder:
        for name, (what, _) in RECIPES.items():
            print("%-22s %s" % (name, what))
        return
    unknown = [n for n in options.names if n not in RECIPES]
    if unknown:
        sys.exit("unknown: %s; --list tells the names" % " ".join(unknown))
    os.makedirs(options.folder, exist_ok=True)
    for name in options.names or [n for n in RECIPES if n not in BIG]:
        print(make(options.folder, name), flush=True)


if __name__ == "__main__":
    main()
