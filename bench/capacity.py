#!/usr/bin/python3
"""Bench `capacity`: how many cameras one machine records before the first frame is late, and how its costs grow until then.

For each number of cameras Vigil records all of them in continuous mode into a folder in memory. The cameras come from
bench/rtsp_flood on the same machine, whose own share of the processors is given. Each half second the queues of all their sockets are
read from /proc/net/tcp: what waits there has been sent, and not been taken. A frame is late where more than a second's bytes of one
camera wait, or where the server sent it more than a second after its time. The numbers of cameras go up until a frame is late or a
camera is lost, whose rates say nothing and are not printed. Where nothing is late and less was written than came, the bench has
failed. Prints a table in Markdown.
Packages: python3 ffmpeg gcc libc6-dev
"""
import argparse
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("copying", HERE / "copy.py")
copying = importlib.util.module_from_spec(spec)
spec.loader.exec_module(copying)


def waiting(port):
    """Of each connection with this port at one end, by the other end's port: the bytes that were sent and not taken."""
    found = {}
    for line in open("/proc/net/tcp").readlines()[1:]:
        words = line.split()
        ports = [int(words[at].split(":")[1], 16) for at in (1, 2)]
        if port not in ports or words[3] != "01":
            continue
        other = ports[0] if ports[1] == port else ports[1]
        found[other] = found.get(other, 0) + sum(int(queue, 16) for queue in words[4].split(":"))
    return found


def threads(process):
    """How many threads a process has."""
    return len(os.listdir("/proc/%d/task" % process.pid))


def small(folder):
    """A stream of 200 kbit/s as a camera's sub-stream has it: 640 by 360, 10 pictures a second, a key frame every 4 s."""
    stream = folder / "small.h264"
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=10:d=40", "-c:v", "libx264", "-preset",
                    "fast", "-g", "40", "-bf", "0", "-b:v", "200k", "-minrate", "200k", "-maxrate", "200k", "-bufsize", "200k",
                    "-x264-params", "nal-hrd=cbr:repeat-headers=1", "-pix_fmt", "yuv420p", "-f", "h264", stream], check=True)
    return stream


def measure(count, command, port, rate, options):
    """The figures of so many cameras."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-capacity-", dir=options.folder))
    begin = time.monotonic()
    [vigil] = copying.start_vigil(options.vigil, port, count, folder)
    try:
        while len(waiting(port)) < count or copying.written(folder) < count * rate / 2:
            if vigil.poll() is not None or time.monotonic() - begin > options.start_max:
                sys.exit("capacity: %d of %d cameras came: %s" % (len(waiting(port)), count, (folder / "vigil.log").read_text()[-2000:]))
            time.sleep(0.1)
        started = time.monotonic() - begin
        time.sleep(options.warm_up)
        before, bytes_before, served = copying.cpu([vigil]), copying.written(folder), copying.cpu([command])
        at, worst = time.monotonic(), 0
        while time.monotonic() - at < options.seconds:
            queues = waiting(port)
            worst = max([worst, *queues.values()])
            lost = max(0, count - len(queues))
            if lost:
                break
            time.sleep(0.5)
        seconds = time.monotonic() - at
        catalog = sum(p.stat().st_size for p in folder.rglob("*.sqlite*"))
        return {"cameras": count, "start": started, "cpu": (copying.cpu([vigil]) - before) / seconds,
                "server": (copying.cpu([command]) - served) / seconds, "pss": copying.pss([vigil]) / 2**20, "threads": threads(vigil),
                "catalog": catalog / 1024, "written": (copying.written(folder) - bytes_before) / (rate * count * seconds),
                "behind": worst / rate, "lost": lost}
    finally:
        copying.end([vigil])
        shutil.rmtree(folder, ignore_errors=True)


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cameras", default="1,10,40,80,120,160,200,250,300", help="numbers of cameras, separated by commas")
    parser.add_argument("--small", action="store_true", help="cameras of 200 kbit/s instead of 4 Mbit/s")
    parser.add_argument("--warm-up", type=float, default=10)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--start-max", type=float, default=120, help="seconds until all cameras have to be recorded")
    parser.add_argument("--vigil", default=str(HERE.parent / ".build/release/vigil"))
    parser.add_argument("--folder", default="/dev/shm", help="where to record")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-capacity-") as name:
        command, _ = copying.prepare(pathlib.Path(name))
        rate = copying.RATE
        if options.small:
            command, rate = [command[0], small(pathlib.Path(name)), "10"], 200_000 / 8
        print("| cameras | recording after, s | Vigil, cores | server, cores | PSS, MiB | threads | catalog, KiB | written | behind at most, s |")
        print("|---|---|---|---|---|---|---|---|---|")
        for count in (int(n) for n in options.cameras.split(",")):
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as flood:
                port = int(flood.stdout.readline().split()[1])
                row = measure(count, flood, port, rate, options)
                flood.stdin.close()
                sent = json.loads(flood.stdout.readline())
            lost, behind = max(row["lost"], sent["cutOff"]), max(row["behind"], sent["worstDelayMs"] / 1000)
            if lost:
                print("with %d cameras %d were lost" % (count, lost))
                break
            if behind <= 1 and row["written"] < copying.WRITTEN_MIN:
                sys.exit("capacity: Vigil wrote only %.0f %% of what %d cameras sent" % (row["written"] * 100, count))
            row["behind"] = behind
            print("| %(cameras)d | %(start).1f | %(cpu).2f | %(server).2f | %(pss).0f | %(threads)d | %(catalog).0f | %(written).2f | %(behind).2f |"
                  % row, flush=True)
            if behind > 1:
                print("with %d cameras the first frame is late" % count)
                break


if __name__ == "__main__":
    main()
