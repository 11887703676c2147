"""Answers of a daemon for pictures of states that take weeks or hundreds of clips to come about."""
import datetime
import json
import re

NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
STORE = "https://s3.eu-central-1.example.net/our-clips"
PROVIDER = "https://plans.example.net/vigil"
LONG = "entrance-of-the-old-warehouse-north-side"
SHUT = "HeadObject our-clips/shop/clips/front/20261123T101500.000Z-k3x9/video.cmfv: the store refused it (HTTP 403, InvalidAccessKeyId); check the access key's id, or renew the credentials"
OTHER = "the key shop/clips/front/2026/11/23/20261123T101500.000Z-k3x9/video.cmfv holds other content: it has 5 bytes, not 4194304; it is left as it is: look at who else writes into this bucket"


def at(days=0.0, minutes=0.0):
    return (NOW + datetime.timedelta(days=days, minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def plan(camera, state, sends, clips=0, **more):
    known = {"camera": camera, "state": state, "words": state, "plan": "Seven days", "planEnd": None, "deletedAt": None, "manageUrl": "https://plans.example.net/account",
             "loaded": at(minutes=-12), "why": None, "sends": sends, "clips": clips, "bytes": clips * 3_400_000}
    return known | more


def cloud(*cameras, store=STORE, why=None, provider=PROVIDER):
    return {"store": store, "why": why, "provider": provider, "webhook": None, "cameras": list(cameras)}


def job(number, phase, camera="front", **more):
    total = 2_300_000 + number * 77_777 % 9_000_000
    sent = {"uploading": total * (number * 13 % 90 + 5) // 100, "done": total}.get(phase, 0)
    known = {"id": number, "clip": number, "camera": camera, "start": at(minutes=-9 * (2_001 - number)), "queued": at(minutes=-9 * (2_001 - number) + 1), "phase": phase,
             "bytes": total, "sentBytes": sent, "importance": "event", "owner": "evidence", "note": None, "url": f"{STORE}/{number}/index.m3u8",
             "verified": "crc32c" if phase == "done" else None, "why": None}
    return known | more


def totals(jobs, why=None, store=STORE, more=None):
    phases = {}
    for one in jobs:
        phase = phases.setdefault(one["phase"], {"phase": one["phase"], "jobs": 0, "bytes": 0, "sentBytes": 0})
        phase["jobs"] += 1
        phase["bytes"] += one["bytes"]
        phase["sentBytes"] += one["sentBytes"]
    for phase, count in (more or {}).items():
        phases[phase] = {"phase": phase, "jobs": count, "bytes": count * 4_100_000, "sentBytes": 0}
    return {"store": store, "why": why, "transfers": sum(one["phase"] == "uploading" for one in jobs), "phases": list(phases.values())}


FIVE = cloud(
    plan("front", "validData", True, 1_204, planEnd=at(30)), plan("garden", "validData", True, 87, planEnd=at(30)), plan(LONG, "validData", True, 12_345, planEnd=at(30)),
    plan("gate", "noData", True, planEnd=at(400), plan="One year"), plan("yard", "expiredData", False, 41, planEnd=at(-3), deletedAt=at(4)),
    plan("cellar", "expiredNoData", False, planEnd=at(-70), plan=None), plan("office", "noService", False, plan=None, manageUrl=None))
FAILED = cloud(
    *(plan(camera, "loadFailed", True, clips, planEnd=at(30), loaded=at(-0.4), why="the service answers with status 500") for camera, clips in (("front", 1_204), ("garden", 87))),
    plan("gate", "loadFailed", False, planEnd=None, plan=None, manageUrl=None, loaded=None, why="the service refuses the token (status 401)"), why=SHUT)
ALWAYS = cloud(*(plan(camera, "validData", True, clips, plan=None, manageUrl=None) for camera, clips in (("front", 1_204), ("garden", 87))), provider=None)

MANY = [job(2_000 - place, phase, camera, **more) for place, (phase, camera, more) in enumerate([
    ("queued", "garden", {"queued": None, "bytes": 0}), ("queued", "front", {}), ("queued", LONG, {}), ("uploading", "front", {}), ("uploading", "garden", {}),
    ("uploadFailed", "front", {"why": OTHER}), ("done", "front", {"importance": "asked", "owner": "anna", "note": "for the insurance"}), ("removing", "yard", {}),
    ("removeFailed", "yard", {"why": SHUT}), ("cancelled", "yard", {}), ("purged", "yard", {}), ("deleted", "front", {}), *[("done", "front", {})] * 38])]
LONGEST = [
    job(900, "uploadFailed", LONG, importance="asked", owner="the-person-at-the-desk-of-the-night-shift-in-the-north-building-2", note="For the insurance: the red car, its number plate and the second person. " * 12, why=SHUT),
    job(899, "uploading", LONG, owner="everything-that-moves-around-the-old-warehouse-by-night"),
    job(898, "uploadFailed", "front", why="HeadObject " + "a" * 300 + ": the store failed (HTTP 500); see the store's own log; it may be tried again")]


def answer(page, answers):
    """Lets the page hear these answers, by the beginning of the path, in place of the daemon's."""
    def teller(body):
        return lambda route: route.fulfill(status=200, content_type="application/json", body=body)
    page.unroute_all()
    for path, told in answers.items():
        page.route(re.compile(rf"{re.escape(path)}(\?|$)"), teller(json.dumps(told)))


def to_card(browser):
    browser.has(".cloud-card > *", "the card")
    browser.until("document.querySelectorAll('.system-view td').length && ![...document.querySelectorAll('.system-view td')].some((cell) => cell.textContent === '…')", "the page has its height")
    browser.js("document.querySelector('#system-cloud').scrollIntoView()")


def to_form(browser):
    browser.click("#cloud-tab")


def to_dialog(browser):
    browser.click("#settings-tab")
    browser.click("[data-cloud-form]")
    browser.click("dialog [data-field=keepLocal-untilUploaded]")
    browser.has("dialog .difference", "the difference")
    browser.until("!document.querySelector('dialog .waiting')", "the check")


def to_panel(browser):
    browser.click("#settings-tab")
    browser.has(".settings-cloud .plan", "the plan")
    browser.js("document.querySelector('.settings-cloud').scrollIntoView()")


def queue(jobs, **more):
    return {"/v1/uploads": jobs, "/v1/uploads/totals": totals(jobs, **more)}


CARD = "document.querySelector('.cloud-card > *')"
ROWS = "document.querySelector('.upload, .emptiness')"
# Name of the picture, address, what shows that it stands, answers, what is done before.
ANSWERS = [
    ("cloud-plans", "/system", CARD, {"/v1/cloud": FIVE}, to_card),
    ("cloud-failed", "/system", CARD, {"/v1/cloud": FAILED}, to_card),
    ("cloud-always", "/system", CARD, {"/v1/cloud": ALWAYS}, to_card),
    ("cloud-nobody", "/system", CARD, {"/v1/cloud": cloud()}, to_card),
    ("cloud-none", "/system", CARD, {"/v1/cloud": cloud(store=None, provider=None)}, to_card),
    ("cloud-camera", "/camera/front?zoom=hour", CARD, {"/v1/cloud": cloud(plan("front", "expiredData", False, 41, planEnd=at(-3), deletedAt=at(4)))}, to_panel),
    ("cloud-form", "/policies/contacts", "document.querySelector('#policy-text')", {}, to_form),
    ("cloud-dialog", "/camera/garden?zoom=hour", "document.querySelector('dialog .difference')", {}, to_dialog),
    ("uploads-many", "/uploads", ROWS, queue(MANY, more={"done": 12_345, "cancelled": 3}), None),
    ("uploads-long", "/uploads", ROWS, queue(LONGEST), None),
    ("uploads-shut", "/uploads", ROWS, queue([job(number, "queued") for number in range(820, 800, -1)], why=SHUT, more={"uploadFailed": 1}), None),
    ("uploads-empty", "/uploads", ROWS, queue([]), None),
    ("uploads-none", "/uploads", ROWS, queue([], store=None), None),
]
