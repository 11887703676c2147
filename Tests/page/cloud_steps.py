"""What a person does with cloud storage: plans, the queue, one clip, one policy; and pictures of all of it."""
import datetime
import json
import urllib.parse

from browsers import Chromium
from cloud_pictures import ANSWERS, answer
from cloud_of_test import MANAGE, day, occupied

CARD = "document.querySelector('.system-view .cloud-card')"
SAYS = "([...document.querySelectorAll('.cloud-card .plan')].find((plan) => plan.textContent.includes({camera}))?.dataset.state === {state})"


def row(job):
    return f"document.querySelector('.upload[data-job=\"{job['id']}\"]')"


def mood(job, mood):
    return f"{row(job)}?.querySelector('.job-state').dataset.mood === '{mood}'"


def button(job, order):
    """The selector of a button of a row by its words; it is there and can be pressed."""
    return f".upload[data-job=\"{job['id']}\"] button[aria-label^=\"{order}\"]:not([hidden])"


def plans(browser, site):
    """The card says who has a plan until when; Refresh brings the provider's news, and a provider that fails is told with its reason."""
    says = lambda camera, state: SAYS.format(camera=json.dumps(camera), state=json.dumps(state))  # noqa: E731
    site.tell_plans()
    browser.go("/system")
    browser.until(f"{says('front', 'noData')} || {says('front', 'validData')}", "the plan of front is active")
    browser.until(says("gate", "noService"), "gate has no plan")
    link = "document.querySelector('.plan a[target=_blank]')"
    assert browser.js(f"[{link}.href, {link}.rel.split(' ').includes('noopener')]") == [MANAGE, True]
    refresh = ".cloud-card [data-keep=refresh]"
    year = datetime.datetime.now().year + 2  # In its midst no time zone tells another year.
    site.tell_plans(gate={"plan": "expired", "expiredAt": day(-3)}, yard={"plan": "active", "activeUntil": f"{year}-06-15T12:00:00Z"})
    browser.click(refresh)
    browser.until(says("gate", "expiredNoData"), "the plan of gate has ended")
    browser.until(f"{CARD}.textContent.includes('{year}')", "the end of yard's plan, with its year")
    assert browser.js(f"document.activeElement === document.querySelector('{refresh}')"), "the focus has left the button"
    browser.until(f"document.querySelector('{refresh}').ariaDisabled === 'false'", "the button can be pressed again")
    site.tell_plans(test={"status": 500})
    browser.click(refresh)
    browser.until(f"{says('front', 'loadFailed')} && {CARD}.textContent.includes('status 500')", "the provider's failure, and why")
    site.tell_plans()
    browser.until(f"document.querySelector('{refresh}').ariaDisabled === 'false'", "the button can be pressed again")
    browser.click(refresh)
    browser.until(f"!{says('front', 'loadFailed')} && {says('gate', 'noService')}", "all is as before")


def give_up_all(browser):
    browser.click(".page-head button:not([hidden]):last-of-type")
    browser.click("dialog .danger")


def uploads(browser, site):
    """A clip comes into the queue and into the cloud while one looks; one that failed is tried again; one that waits is given up."""
    browser.go("/uploads")
    browser.has(".totals li", "the totals")
    job = site.job(site.record("front"))
    browser.until(mood(job, "done"), "the upload ends while one looks")
    assert site.has(job), job
    browser.until("Number(document.querySelector('.totals [data-phase=done] .figure').textContent) >= 1", "it is counted")
    # A key that holds something else: the job fails at once, and says why.
    site.proxy.fault = occupied
    job = site.job(site.record("front"))
    browser.until(f"{mood(job, 'failed')} && {row(job)}.textContent.includes('holds other content')", "the failure with its reason")
    browser.until(f"{row(job)}.textContent.includes('Look at who else writes into this bucket') || {row(job)}.querySelector('.upload-why .quiet').textContent", "what to do about it")
    browser.js(f"document.querySelector('{button(job, 'Try again')}').focus()")
    site.proxy.fault = lambda *_: None
    browser.key("Enter")
    browser.until(mood(job, "done"), "after another try it is in the cloud")
    assert browser.js(f"{row(job)}.contains(document.activeElement)"), "the focus has left the row"
    # Without a plan a clip waits.
    site.tell_plans(front={"plan": "none"})
    site.daemon.ask("/v1/cloud/refresh", method="POST")
    site.until(lambda: not any(plan["sends"] for plan in site.daemon.ask("/v1/cloud?camera=front")["cameras"]), "the plan is over")
    first, second = site.job(site.record("front")), site.job(site.record("front"))
    browser.until(f"{mood(first, 'wait')} && {mood(second, 'wait')}", "two clips wait")
    browser.click(button(first, "Give up"))
    browser.click("dialog footer button:not(.danger)")
    browser.until("!document.querySelector('dialog')", "the question was left")
    browser.click(button(first, "Give up"))
    browser.click("dialog .danger")
    browser.until(f"{mood(first, 'over')} && {mood(second, 'wait')}", "one is given up")
    give_up_all(browser)
    browser.until(mood(second, "over"), "the other one with all")
    browser.js("(() => { const s = document.querySelectorAll('.filters select')[1]; s.value = 'open,due'; s.dispatchEvent(new Event('change')); })()")
    # Once a minute the demo sees a figure that is large enough: its clip waits, too, and is given up like the others.
    for _ in range(10):
        if browser.until("document.querySelector('.upload') ? 'rows' : document.querySelector('.emptiness') && 'none'", "the list as it is asked for") == "none":
            break
        give_up_all(browser)
        browser.until("!document.querySelector('.upload')", "the clip of the demo's own is given up")
    browser.until("!document.querySelector('.upload') && document.querySelector('.emptiness') && location.search.includes('standing')", "nothing is on the way")
    site.tell_plans()
    site.daemon.ask("/v1/cloud/refresh", method="POST")
    site.until(lambda: all(plan["sends"] for plan in site.daemon.ask("/v1/cloud?camera=front")["cameras"]), "the plan is active again")


def outage(browser, site):
    """A store that refuses everybody is told above the queue, with what to do; it is asked again, and the clip arrives."""
    browser.go("/uploads?camera=front")
    site.proxy.fault = lambda *_: {"status": 403, "xml": "<Error><Code>InvalidAccessKeyId</Code></Error>"}
    job = site.job(site.record("front"))
    browser.until("document.querySelector('.store-line .trouble')?.textContent.includes('access key')", "the refusal, and what to check")
    site.proxy.fault = lambda *_: None
    browser.click(".page-head button:not([hidden])")
    browser.until(f"!document.querySelector('.store-line .trouble') && {mood(job, 'done')}", "the store takes clips again")


def one_clip(browser, site, shots):
    """A clip that the policy leaves at home is sent from its camera's panel, with a note."""
    clip = site.record("garden", 8000)
    assert site.job(clip) is None, "the policy sends it"
    start = next(one for one in site.daemon.ask("/v1/clips?camera=garden") if one["id"] == clip)["start"]
    at = (datetime.datetime.fromisoformat(start[:19]) + datetime.timedelta(seconds=2)).isoformat() + "Z"
    browser.go(f"/camera/garden?t={urllib.parse.quote(at)}&zoom=300")
    browser.until("document.querySelector('.screen video')?.readyState >= 2", "the past is there")
    browser.key("k")
    browser.click("#settings-tab")
    browser.until("document.querySelector('.settings-cloud .plan')", "the plan of the camera")
    browser.js("[...document.querySelectorAll('.settings button')].find((button) => button.textContent === 'Clip at this moment').click()")
    browser.click("[data-push]")
    browser.fill("dialog textarea", "for the insurance: <b>the red car</b>")
    browser.click("dialog .primary")
    browser.until("document.querySelector('.clip-cloud .job-state')?.dataset.mood === 'done'", "its state there, up to the end")
    job = site.job(clip)
    assert job["note"] == "for the insurance: <b>the red car</b>" and site.has(job), job
    if shots:
        browser.js("document.querySelector('.clip-cloud').scrollIntoView({ block: 'end' })")
        browser.shot(f"{shots}/cloud-clip.png")
    browser.click(".clip-cloud a")
    browser.until(f"{row(job)}?.querySelector('.upload-note').textContent.includes('<b>the red car</b>')", "the note is in the queue, as it was written")


def policy(browser, site):
    """What goes to the cloud is set in a form: from the camera, and beside the text of the policy."""
    text = lambda: site.daemon.ask("/v1/policies/contacts")["text"]  # noqa: E731
    before = text()
    browser.go("/camera/garden?zoom=hour")
    browser.click("#settings-tab")
    browser.click("[data-cloud-form]")
    browser.click("dialog [data-field=levels-10]")
    browser.click("dialog [data-field=causes-command]")
    browser.click("dialog [data-field=keepLocal-untilUploaded]")
    browser.js("(() => { const s = document.querySelector('dialog [data-field=retention]'); s.value = 'd'; s.dispatchEvent(new Event('change')); })()")
    browser.until("document.querySelector('dialog .difference')?.textContent.includes('+ cloud:')", "the line that differs")
    browser.until("!document.querySelector('dialog .primary').disabled", "it can be applied")
    browser.click("dialog .primary")
    browser.until("document.querySelector('.note button.plain')", "it is told")
    wanted = "cloud: { upload: events, causes: [ source, command ], levels: [ 1, 5 ], keepLocal: untilUploaded, retention: 30d }  # nothing else leaves the house"
    assert wanted in text(), text()
    browser.click(".note button.plain")
    site.until(lambda: text() == before, "it is undone")
    browser.go("/policies/contacts")
    browser.click("#cloud-tab")
    browser.click("[data-field=upload-all]")
    browser.until("document.querySelector('#policy-text').value.includes('cloud: { upload: all }  # nothing else')", "the text follows the form")
    browser.until("document.querySelector('.state')?.dataset.valid === 'true'", "and is checked")
    browser.fill("#policy-text", before.replace("upload: events", "upload: none"))
    browser.until("document.querySelector('[data-field=upload-none]').checked", "the form follows the text")


def viewer(browser, site):
    """Who may only look sees plan and queue, and no button that changes anything."""
    token = site.daemon.token("guest", "viewer", "--camera", "front")
    browser.go("/system")
    browser.js("fetch('/v1/logout', { method: 'POST', headers: { 'Vigil-Page': '1', 'Content-Type': 'application/json' }, body: '{}' }).then(() => true)")
    browser.go("/uploads")
    browser.fill("#token", token)
    browser.click(".login button")
    browser.until("document.querySelectorAll('.upload').length > 2", "the clips of the camera")
    assert browser.js("![...document.querySelectorAll('.upload button, .page-head button')].some((button) => button.checkVisibility())"), "a viewer sees a button"
    browser.go("/system")
    browser.has(".cloud-card .plan", "the plan")
    assert browser.js(f"!{CARD}.querySelector('button') && !{CARD}.textContent.includes('gate')"), "a viewer sees more than that"
    site.daemon.revoke("guest")


def pictures(browser, shots, devices, fits):
    """States that take long to come about, as the daemon would tell them, on two devices in two themes; axe finds nothing serious."""
    found = []
    for device, (size, touch) in devices.items():
        browser.look(size, "dark", touch)
        for name, path, fact, answers, act in ANSWERS:
            answer(browser.page, answers)
            browser.go(path)
            if act:
                act(browser)
            browser.until(f"Boolean({fact}) && !document.querySelector('main .waiting')", f"{name} stands on the {device}")
            for scheme in ("dark", "light"):
                browser.colours(scheme)
                browser.shot(f"{shots}/{name}-{device}-{scheme}.png")
                found += [f"{name} {device} {scheme}: {one}" for one in browser.violations()]
            fits(browser, f"{name} on the {device}")
    browser.look(*devices["desktop"][:1], "dark")
    assert not found, "axe:\n" + "\n".join(sorted(set(found)))


MINE = [("plans", plans), ("uploads", uploads), ("outage", outage), ("cloud-policy", policy)]
NAMES = {name for name, _ in MINE} | {"clip", "cloud-pictures", "cloud-viewer"}


def steps(browser, site, shots, devices, fits):
    """Each step with its name."""
    has_pictures = isinstance(browser, Chromium)
    done = [(name, lambda step=step: step(browser, site)) for name, step in MINE]
    done.insert(3, ("clip", lambda: one_clip(browser, site, shots if has_pictures else None)))
    if has_pictures:
        done += [("cloud-pictures", lambda: pictures(browser, shots, devices, fits))]
    return done + [("cloud-viewer", lambda: viewer(browser, site))]
