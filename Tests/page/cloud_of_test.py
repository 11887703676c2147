"""A site that sends clips to a cloud: a store that others wrote, a proxy before it, a provider of plans, and a daemon."""
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse

from site_of_test import Daemon

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "s3"))
import parts  # noqa: E402

CONFIGURATION = """\
storage: {{ root: {folder}/root, maxSize: 2GB, reserve: 100MB }}
socket: {folder}/vigil.sock
http: {{ listen: 127.0.0.1:{port} }}
timezone: Europe/Rome
policies: [ policies/ ]
cloud:
  store: {{ endpoint: "{store}", bucket: clips, prefix: shop, credential: store }}
  subscription: {{ url: "{plans}", credential: plans, retention: 7d }}
credentials:
  store: {{ env: STORE_KEY }}
  plans: {{ env: PLANS_TOKEN }}
cameras:
  front: {{ main: demo, policy: events, detection: off }}
  garden: {{ main: demo, policy: contacts, detection: off }}
  gate: {{ main: "rtsp://127.0.0.1:9/none", policy: events }}
  yard: {{ main: "rtsp://127.0.0.1:9/other", policy: events }}
"""
RECORDING = "recording: { mode: event, sensitivity: 1, maxEventLength: 10s, preRoll: 2s }\nretention: { events: 30d }\n"
POLICIES = {
    "events": f"name: events\n{RECORDING}cloud: {{ upload: events }}\n",
    "contacts": f"name: contacts\n{RECORDING}cloud: {{ upload: events, causes: [ source ] }}  # nothing else leaves the house\n",
}
TOKEN = "a-token-of-the-provider"
MANAGE = "https://plans.example/account"


def day(later):
    """A time so many days from now."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=later)).strftime("%Y-%m-%dT%H:%M:%SZ")


def occupied(method, path, _):
    """The store as it is where somebody else has put an object where a clip's pictures belong."""
    query = dict(urllib.parse.parse_qsl(path.partition("?")[2]))
    if method == "GET" and "list-type" in query and query.get("prefix", "").count("/") > 5:
        entry = f"<Contents><Key>{query['prefix']}video.cmfv</Key><Size>4</Size><ETag>0</ETag></Contents>"
        return {"status": 200, "xml": f"<ListBucketResult><IsTruncated>false</IsTruncated>{entry}</ListBucketResult>"}
    if method == "HEAD" and ".cmfv" in path:
        return {"status": 200, "xml": "else", "headers": [("ETag", '"0"')]}
    return None


class CloudSite:
    """What a person's browser looks at, with all that is behind it."""

    def __init__(self, vigil, configuration=CONFIGURATION, policies=POLICIES, **values):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vigil-page-cloud-"))
        self.store = self.make_store()
        self.proxy = parts.Proxy(self.store.port)
        self.tell_plans()
        self.provider = subprocess.Popen([sys.executable, ROOT / "Tests" / "cloud" / "provider", self.folder / "plans.json", "--token", TOKEN],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = self.provider.stdout.readline().split()[1]
        self.daemon = Daemon(vigil, configuration, policies, {"STORE_KEY": f"{parts.KEYS['id']}:{parts.KEYS['secret']}", "PLANS_TOKEN": f"vigil:{TOKEN}"},
                             store=self.proxy.endpoint, plans=f"http://127.0.0.1:{port}", **values)
        self.address = self.daemon.address
        self.link = self.start()

    def make_store(self):
        """A store with the bucket `clips`."""
        store = parts.Server("rclone", self.folder, pathlib.Path(sys.prefix) / "bin")
        self.bucket = self.folder / "rclone" / "data" / "clips"
        self.bucket.mkdir()
        return store

    def start(self):
        """Starts the daemon and gives its first-run link."""
        return self.daemon.start()

    def next_link(self):
        """A link for a login: the first-run link, then others."""
        link, self.link = self.link or self.daemon.link(), None
        return link

    def tell_plans(self, test=None, **cameras):
        """What the provider answers from now on: an active plan for all that are not named."""
        account = {"plan": "active", "name": "Seven days", "activeUntil": day(30), "retentionDays": 7, "manageUrl": MANAGE}
        self.answer({"account": account, "cameras": {"gate": {"plan": "none"}} | cameras} | ({"test": test} if test else {}))

    def answer(self, plans):
        """What the provider answers from now on, to the letter."""
        path = self.folder / "plans.json.new"
        path.write_text(json.dumps(plans))
        path.rename(self.folder / "plans.json")

    def record(self, camera, ms=1000):
        """A clip that lasts some seconds, or the one that is being written; gives its id when it is closed."""
        before = {clip["id"] for clip in self.daemon.ask(f"/v1/clips?camera={camera}") if clip["end"]}
        self.daemon.ask(f"/v1/cameras/{camera}/record", {"forMs": ms}, "POST")
        return self.until(lambda: [clip["id"] for clip in self.daemon.ask(f"/v1/clips?camera={camera}") if clip["id"] not in before and clip["end"]], "a clip")[0]

    def job(self, clip):
        """The job of a clip; nothing where it has none."""
        jobs = self.daemon.ask(f"/v1/uploads?clip={clip}")
        return jobs[0] if jobs else None

    def has(self, job):
        """Whether the bucket has the clip of a job, with its description."""
        return (self.bucket / job["url"].split("/clips/", 1)[1]).with_name("clip.json").exists()

    @staticmethod
    def until(holds, what, seconds=120):
        end = time.monotonic() + seconds
        while not (value := holds()):
            assert time.monotonic() < end, f"{what}: not within {seconds} s"
            time.sleep(0.2)
        return value

    def end(self):
        self.daemon.end()
        self.provider.kill()
        self.provider.wait()
        self.store.end()
        subprocess.run(["rm", "-r", "--", str(self.folder)], check=False)
