#!/usr/bin/python3
"""Bench `copy`: what recording N cameras of 4 Mbit/s costs, against ffmpeg and against a bare loop of read and write.

The cameras come from bench/rtsp_flood. The three recorders run one after the other against the same server; each is warmed up,
then its CPU time over the measured seconds and its proportional memory (PSS) at their end are read from /proc. A recorder
that did not write what the cameras sent is a failure, not a result. Prints a table and one line of JSON.
Packages: python3 ffmpeg gcc libc6-dev
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RATE = 4_000_000 / 8            # bytes a second of one camera
TICKS = os.sysconf("SC_CLK_TCK")
WRITTEN_MIN = 0.8               # of what the cameras send while a recorder is measured


def prepare(folder):
    """Compiles the helpers and makes the cameras' file; returns (server command, floor command)."""
    for name in ("rtsp_flood", "socket_floor"):
        subprocess.run(["cc", "-std=gnu11", "-O2", "-o", folder / name, HERE / (name + ".c")], check=True)
    media = HERE.parent / ".build" / "rig-media"
    subprocess.run(["/usr/bin/python3", HERE.parent / "Tests/rig/make_media.py", media, "bench-4m.mp4"], check=True,
                   stdout=subprocess.DEVNULL)
    stream = folder / "bench.h264"
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", media / "bench-4m.mp4", "-c", "copy", "-bsf:v",
                    "h264_mp4toannexb", "-f", "h264", stream], check=True)
    return [folder / "rtsp_flood", stream, "25"], folder / "socket_floor"


def start_vigil(binary, port, count, folder):
    """Vigil with `count` cameras, recording always."""
    (folder / "policies").mkdir()
    (folder / "policies/bench.yaml").write_text(
        "name: bench\nrecording: { mode: continuous, preRoll: 5s, clipLength: 10m }\n")
    cameras = "".join("  c%d: { main: 'rtsp://127.0.0.1:%d/%d', policy: bench, detection: 'off' }\n" % (i, port, i) for i in range(count))
    (folder / "vigil.yaml").write_text(
        "storage: { root: %s }\npolicies: [ policies/ ]\ncameras:\n%s" % (folder / "root", cameras))
    log = open(folder / "vigil.log", "w")
    return [subprocess.Popen([binary, "run", "--config", folder / "vigil.yaml", "--socket", folder / "vigil.sock"],
                             stdin=subprocess.DEVNULL, stdout=log, stderr=log)]


def start_ffmpeg(_binary, port, count, folder):
    """One ffmpeg per camera, as a script would do it."""
    return [subprocess.Popen(["ffmpeg", "-v", "error", "-nostdin", "-rtsp_transport", "tcp", "-i",
                              "rtsp://127.0.0.1:%d/%d" % (port, i), "-c", "copy", "-f", "segment", "-segment_time", "60",
                              "-segment_format", "mp4", "-segment_format_options", "movflags=+frag_keyframe+empty_moov",
                              "-reset_timestamps", "1", folder / ("%d-%%05d.mp4" % i)],
                             stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in range(count)]


def start_floor(binary, port, count, folder):
    """The bare loop."""
    return [subprocess.Popen([binary, "127.0.0.1", str(port), str(count), folder], stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL)]


def cpu(processes):
    """CPU seconds used so far, user and system, all threads."""
    total = 0
    for p in processes:
        fields = pathlib.Path("/proc/%d/stat" % p.pid).read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def pss(processes):
    """Proportional memory in bytes."""
    total = 0
    for p in processes:
        for line in open("/proc/%d/smaps_rollup" % p.pid):
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def pss_parts(process):
    """Of one process, proportional memory in MiB: of the program's code and constants, of what of it can be written, of its libraries,
    and of what belongs to no file."""
    program = os.readlink("/proc/%d/exe" % process.pid)
    parts = dict.fromkeys(("code", "variables", "libraries", "anonymous"), 0)
    for line in open("/proc/%d/smaps" % process.pid):
        words = line.split()
        if not words[0].endswith(":"):
            path = words[5] if len(words) > 5 and words[5].startswith("/") else None
            part = ("anonymous" if path is None else "libraries" if path != program
                    else "variables" if "w" in words[1] else "code")
        elif words[0] == "Pss:":
            parts[part] += int(words[1])
    return {part: round(kib / 1024, 1) for part, kib in parts.items()}


def written(folder):
    """Bytes in all files of a folder."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file() and p.suffix not in (".log", ".yaml"))


def end(processes):
    """Ends processes by SIGTERM, and those that do not end in a minute by SIGKILL."""
    for p in processes:
        if p.poll() is None:
            p.send_signal(signal.SIGTERM)
    for p in processes:
        try:
            p.wait(60)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()


def measure(name, start, binary, port, count, options):
    """One recorder's figures."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-%s-" % name, dir=options.folder))
    processes = start(binary, port, count, folder)
    try:
        time.sleep(options.warm_up)
        gone = [p for p in processes if p.poll() is not None]
        if gone:
            log = folder / "vigil.log"
            sys.exit("copy: %d of %d %s ended: %s" % (len(gone), len(processes), name,
                                                      log.read_text()[-2000:] if log.exists() else "no output"))
        cpu_before, bytes_before, begin = cpu(processes), written(folder), time.monotonic()
        time.sleep(options.seconds)
        seconds = time.monotonic() - begin
        if name == "vigil":
            print("%3d cameras  vigil's PSS in MiB: %s" % (count, ", ".join(
                "%s %.1f" % part for part in pss_parts(processes[0]).items())), flush=True)
        result = {"cpuSeconds": round(cpu(processes) - cpu_before, 2), "pssMiB": round(pss(processes) / 2**20, 1),
                  "written": round((written(folder) - bytes_before) / (RATE * count * seconds), 3)}
    finally:
        end(processes)
        shutil.rmtree(folder, ignore_errors=True)
    if result["written"] < WRITTEN_MIN:
        sys.exit("copy: %s wrote only %.0f %% of what %d cameras sent" % (name, result["written"] * 100, count))
    return result


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cameras", default="1,10,40", help="numbers of cameras, separated by commas")
    parser.add_argument("--warm-up", type=float, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--vigil", default=str(HERE.parent / ".build/release/vigil"))
    parser.add_argument("--only", default="vigil,ffmpeg,floor", help="recorders, separated by commas")
    parser.add_argument("--folder", help="where to record; default: the system's temporary folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-copy-", dir=options.folder) as name:
        server, floor = prepare(pathlib.Path(name))
        recorders = {"vigil": (start_vigil, options.vigil), "ffmpeg": (start_ffmpeg, None), "floor": (start_floor, floor)}
        results = []
        for count in (int(n) for n in options.cameras.split(",")):
            row = {"cameras": count, "seconds": options.seconds}
            with subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as flood:
                port = int(flood.stdout.readline().split()[1])
                for recorder in options.only.split(","):
                    row[recorder] = measure(recorder, *recorders[recorder], port, count, options)
                    print("%3d cameras  %-7s CPU %7.2f s  PSS %8.1f MiB  written %.2f" % (
                        count, recorder, *row[recorder].values()), flush=True)
                flood.stdin.close()
                row["server"] = json.loads(flood.stdout.readline())
            if "vigil" in row and "ffmpeg" in row:
                row["cpuRatio"] = round(row["vigil"]["cpuSeconds"] / max(0.01, row["ffmpeg"]["cpuSeconds"]), 3)
                row["pssRatio"] = round(row["vigil"]["pssMiB"] / row["ffmpeg"]["pssMiB"], 3)
                print("%3d cameras  Vigil to ffmpeg: CPU %.2f, PSS %.2f" % (count, row["cpuRatio"], row["pssRatio"]))
            results.append(row)
    print(json.dumps(results))


if __name__ == "__main__":
    main()
