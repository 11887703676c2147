"""Digests of a trace (docs/design/trace.md), and the waits that only a report's digest tells."""

import functools
import json

FAILURES = ("timeout", "silence", "noKeyFrame")         # what a deadline makes a link fail with
LINKED = ("dialing", "synchronizing", "streaming")


def canonical(value):
    """JSON with one spelling for each value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def without_none(value):
    """An object without what there is nothing of."""
    return {k: v for k, v in value.items() if v is not None}


def fnv(data, value=0xcbf29ce484222325):
    """64-bit FNV-1a; goes on from `value`."""
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def short(value):
    """The digest of one effect: the halves laid over each other."""
    return "%08x" % ((value ^ value >> 32) & 0xffffffff)


@functools.lru_cache(maxsize=1 << 16)
def word(text):
    """One effect as a record has it; `text` is its canonical JSON."""
    return ("r" if text.startswith('{"report":') else "o") + short(fnv(text.encode()))


def step_digest(at, text, state, effects):
    """The digest of a step; everything is canonical JSON."""
    return "%016x" % fnv(f"{at}\n{text}\n{state}\n[{','.join(effects)}]".encode())


def candidates(report, least, waits, jitter):
    """The words of a report for each wait that the specification allows, `jitter` percent more at most: the wait by the word."""
    before, after = canonical({"report": {"_0": report}}).split("12345")
    begun = fnv(before.encode())
    found = {}
    for base in waits:
        for wait in range(base, base + base // 100 * jitter + 1):
            told = max(wait, least)
            found["r" + short(fnv(f"{told}{after}".encode(), begun))] = wait
    return found


@functools.lru_cache(maxsize=None)
def redials(start, failure, least, waits, jitter):
    return candidates({"link": {"failure": failure, "from": start, "retryMs": 12345, "to": "waiting"}}, least, waits, jitter)


@functools.lru_cache(maxsize=None)
def retries(clip, waits, jitter):
    return candidates({"clipFailed": {"_0": clip, "retryMs": 12345}}, 0, waits, jitter)


class Waits:
    """The waits that the steps of a piece tell, which stand in no record: a report's digest is searched among those of all waits that
    the specification allows. One that is found by chance is not asked for."""

    def __init__(self, clips, timing):
        self.clips = clips      # the greatest number of a clip so far
        self.redialling, self.opening, self.jitter = tuple(timing["redialMs"]), tuple(timing["retryMs"]), timing["jitterPercent"]
        self.least = {"unauthorized": timing["unauthorizedMs"], "budget": timing["unauthorizedMs"], "busy": timing["redialMs"][-1]}

    def of(self, step):
        """The wait before dialling again and the one before opening again; 0: none."""
        (name, body), = json.loads(step.input).items()
        reports = [w for w in step.effects if w[0] == "r"]
        failures = [body["_1"]] if name in ("dialFailed", "lost") else FAILURES
        redial = [table[w] for w in reports for f in failures for start in LINKED
                  if w in (table := redials(start, f, self.least.get(f, 0), self.redialling, self.jitter))]
        failed = [body["_0"]] if name in ("openFailed", "writeFailed") else [
            n for n in range(self.clips, self.clips + 3) if word(canonical({"closeClip": {"_0": n, "_1": "now", "_2": "storage"}})) in step.effects]
        retry = [table[w] for w in reports for n in failed if w in (table := retries(n, self.opening, self.jitter))]
        if name in ("opened", "openFailed", "keyframeMissing", "closed"):
            self.clips = max(self.clips, body["_0"])
        return max(redial, default=0), max(retry, default=0)
