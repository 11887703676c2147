#!/usr/bin/python3
"""Compares our Signature V4 with botocore's, over requests at random: methods, keys of any characters, queries, headers, session
tokens, payloads, times and regions, in headers and in presigned URLs.

    bench/sigv4.py [--requests N] [--seed N] [--tool PATH]

Prints the first that differs and ends with status 1, or how many were the same. It installs botocore as Tests/s3/run does.
"""
import argparse
import datetime
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
# In the place of this folder, whose copy.py is not Python's.
sys.path[0] = str(ROOT / "Tests" / "s3")
import parts  # noqa: E402

LETTERS = ["abcXYZ019", "-._~", "/", " +&=?#%", "!$'()*,:;@[]", "\"<>\\^`{|}", "äöüß€", "日本語", "🎥", "\t\n\x7f\x01"]
REGIONS = ["us-east-1", "eu-central-1", "ap-southeast-2", "auto", "garage", "x"]


def text(rng, most, letters=LETTERS):
    return "".join(rng.choice(rng.choice(letters)) for _ in range(rng.randint(0, most)))


def made(rng):
    """A request at random, as the tool takes it."""
    key = "/".join(rng.choice([text(rng, 12), "..", ".", "", "cam-1"]) for _ in range(rng.randint(1, 5)))
    query = [[rng.choice(["prefix", "uploads", "uploadId", "list-type", "X-y", "a", "A", "ä", ""]) + text(rng, 4), text(rng, 15)]
             for _ in range(rng.randint(0, 6))]
    query = list({name: [name, value] for name, value in query if name}.values())
    printable = ["abcXYZ019", " ", "-._~/:;,=\"'()", "!#$%&*+"]
    headers = {"x-amz-meta-" + text(rng, 6, ["abc019-"]).strip("-") + "z": text(rng, 20, printable) for _ in range(rng.randint(0, 4))}
    for name in rng.sample(["Content-Type", "Content-MD5", "If-Match", "If-None-Match", "Range", "x-amz-checksum-crc32c"], rng.randint(0, 3)):
        headers[name] = text(rng, 20, printable) or "x"
    payload = hashlib.sha256(rng.randbytes(8)).hexdigest() if rng.random() < 0.7 else "UNSIGNED-PAYLOAD"
    return {
        "order": rng.choice(["sign", "sign", "presign"]), "method": rng.choice(["GET", "PUT", "HEAD", "POST", "DELETE"]),
        "path": "/bucket/" + key, "query": query, "headers": [["Host", rng.choice(["s3.example.com", "127.0.0.1:9000", "[::1]:9000"])],
                                                              *([n, v] for n, v in headers.items())],
        "payload": payload, "id": "AKID" + text(rng, 16, ["ABC019"]), "secret": "s" + text(rng, 60, ["abcXYZ019", "+/="]),
        "token": "t" + text(rng, 200, ["abcXYZ019", "+/="]) if rng.random() < 0.3 else None, "region": rng.choice(REGIONS),
        "time": rng.choice([0, 951782400, 1709164800, 253402300799, rng.randint(0, 4102444800)]),
        "expires": rng.choice([1, 60, 3600, 604800, rng.randint(1, 604800)]),
    }


def theirs(order):
    """What botocore makes of it: the headers that it adds, or the query."""
    import botocore.auth
    import botocore.awsrequest
    import botocore.compat
    import botocore.credentials

    now = datetime.datetime.fromtimestamp(order["time"], datetime.timezone.utc)
    for module in (botocore.auth, botocore.compat):
        if hasattr(module, "get_current_datetime"):
            module.get_current_datetime = lambda remove_tzinfo=True: now.replace(tzinfo=None) if remove_tzinfo else now
    credentials = botocore.credentials.Credentials(order["id"], order["secret"], order["token"])
    quoted = urllib.parse.quote(order["path"], safe="/~-._")
    host = dict(order["headers"])["Host"]
    if order["order"] == "presign":
        # botocore signs what stands in the URL already as text: it has to be encoded there.
        query = "&".join("%s=%s" % tuple(urllib.parse.quote(part, safe="-_.~") for part in pair) for pair in order["query"])
        request = botocore.awsrequest.AWSRequest(method=order["method"], url="https://%s%s%s" % (host, quoted, "?" + query if query else ""),
                                                 headers=dict(order["headers"]))
        auth = botocore.auth.S3SigV4QueryAuth(credentials, "s3", order["region"], expires=order["expires"])
        auth.add_auth(request)
        return sorted(urllib.parse.urlsplit(request.url).query.split("&"))
    request = botocore.awsrequest.AWSRequest(method=order["method"], url="https://%s%s" % (host, quoted), headers=dict(order["headers"]),
                                             params=dict(order["query"]))
    auth = botocore.auth.S3SigV4Auth(credentials, "s3", order["region"])
    request.context["payload_signing_enabled"] = True
    auth.payload = lambda _: order["payload"]
    auth.add_auth(request)
    return request.headers["Authorization"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--tool", default=str(ROOT / ".build" / "debug" / "store-tool"))
    options = parser.parse_args()
    parts.install()
    rng = random.Random(options.seed)
    orders = [made(rng) for _ in range(options.requests)]
    lines = "".join(json.dumps(order) + "\n" for order in orders)
    begin = time.monotonic()
    out = subprocess.run([options.tool], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    seconds = time.monotonic() - begin
    counts = {"sign": 0, "presign": 0}
    for order, line in zip(orders, out, strict=True):
        answer, expected = json.loads(line), theirs(order)
        if "query" in answer:
            own = sorted(answer["query"].split("&"))
        else:
            own = dict((name.lower(), value) for name, value in answer.get("headers", [])).get("authorization")
        if own != expected:
            print("differs with --seed %d:\n%s\nours:   %s\ntheirs: %s" % (options.seed, json.dumps(order), own, expected))
            return 1
        counts[order["order"]] += 1
    print("%d requests signed as botocore does (%d in headers, %d presigned), --seed %d; the tool took %.2f s"
          % (len(orders), counts["sign"], counts["presign"], options.seed, seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
