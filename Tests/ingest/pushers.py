"""Encoders that others wrote, which push a recording in real time, and when what they push was sent."""
import os
import subprocess
import threading
import time


def words(*parts):
    """Runs a command; gives what it writes."""
    done = subprocess.run([str(p) for p in parts], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(map(str, parts)), done.stderr[-2000:]))
    return done.stdout


class Run:
    """What was pushed in one go: from and to which second of the source it may have been, and when, in seconds since 1970."""

    def __init__(self, at, began):
        self.at, self.until, self.began, self.ended = at, at, began, None
        # When the first part of it had been sent whole; when each was recorded, by kind and place in the source.
        self.sent, self.recorded = None, {}


def ffmpeg(folder, place, login, run, length, log, in_frames):
    """Segments by name; with `in_frames` each picture is sent at once. Gives its process."""
    process = subprocess.Popen(
        ["ffmpeg", "-v", "info", "-nostats", "-hide_banner", "-nostdin", "-re", "-ss", str(run.at), "-i", str(folder / "source.mp4"),
         "-t", str(length - run.at), "-c", "copy", "-f", "dash", "-seg_duration", "1", *(["-streaming", "1", "-frag_type", "every_frame"] if in_frames else []),
         "-method", "PUT", "-window_size", "5", "-use_template", "1", "-use_timeline", "0",
         f"https://{login}@{place}/index.mpd"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def watch():
        with open(log, "w") as file:
            for line in process.stderr:
                file.write(line.replace(login, "***"))
                # It begins the second segment: the first one is sent.
                if "chunk-stream0-00002" in line and run.sent is None:
                    run.sent = time.time()

    threading.Thread(target=watch, daemon=True).start()
    return [process]


def gstreamer(folder, place, login, run, length, log, in_frames):
    """One long PUT of what mp4mux writes, in fragments of a second. Gives its processes."""
    part = folder / f"part-{run.at:g}.mp4"
    words("ffmpeg", "-v", "error", "-ss", run.at, "-i", folder / "source.mp4", "-t", length - run.at, "-c", "copy", part)
    run.began = time.time()
    with open(log, "w") as told:
        maker = subprocess.Popen(
            ["gst-launch-1.0", "-q", "filesrc", f"location={part}", "!", "qtdemux", "name=in",
             "mp4mux", "name=out", "fragment-duration=1000", "streamable=true", "!", "fdsink", "sync=false", "async=false",
             "in.video_0", "!", "queue", "!", "identity", "sync=true", "!", "out.video_0",
             "in.audio_0", "!", "queue", "!", "identity", "sync=true", "!", "out.audio_0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=told)
        sender = subprocess.Popen(
            ["curl", "-sS", "--fail-with-body", "-T", "-", "--cacert", str(folder / "server/ca.pem"), "-u", login, "-H", "Content-Type: video/mp4",
             f"https://{place}/all.mp4"],
            stdin=subprocess.PIPE, stdout=told, stderr=told)

    def pump():
        passed = 0
        try:
            while data := os.read(maker.stdout.fileno(), 1 << 16):
                sender.stdin.write(data)
                sender.stdin.flush()
                passed += data.count(b"mdat")
                # The first fragments of both tracks have gone by.
                if passed > 2 and run.sent is None:
                    run.sent = time.time()
            sender.stdin.close()
        except OSError:
            # It was cut.
            pass

    threading.Thread(target=pump, daemon=True).start()
    return [maker, sender]
