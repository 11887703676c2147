"""Misreadings of docs/design/rules.md. Each is put into camera.py by itself, and `compare` must notice it.

Of each: its name, what it misreads, what camera.py says (once), and what somebody might have read instead.
"""

ALTERATIONS = {
    "windowExclusive": (
        "T1",
        "self.window.due <= 0:",
        "self.window.due < 0:"),
    "prolongsEachTime": (
        "T2",
        "elif self.window.previous in (None, 0):",
        "else:"),
    "prolongsFromNow": (
        "T2",
        "end=before.end + before.augmentation",
        "end=max(before.end, before.augmentation)"),
    "limitWhereBoth": (
        "T3",
        "self.window.end > self.window.limit",
        "self.window.end >= self.window.limit"),
    "blindFromTheEnd": (
        "T4",
        'not any(clip.owner == "settling" for clip in self.clips())',
        "True"),
    "blindWhileWriting": (
        "T4",
        'not any(clip.owner == "settling" for clip in self.clips())',
        'not any(clip.owner == "settling" for clip in self.closings)'),
    "blindAfterACommand": (
        "T4",
        "window.blind > 0 and not window.command",
        "window.blind > 0"),
    "toggleEndsBlindTime": (
        "T4",
        "        why = self.forbidden()\n        if self.active() and why:",
        "        why = self.forbidden()\n        self.blind = None if why else self.blind\n        if self.active() and why:"),
    "smallestMaxHolds": (
        "T5",
        'max(w.longest, self.constants["CommandM"])',
        'min(w.longest, self.constants["CommandM"])'),
    "commandIsCutOff": (
        "T5",
        'if why == "limit" and window.chained:',
        "if False:"),
    "sourceCountsWhenItComes": (
        "T6",
        "if not self.forgotten() and not self.is_blind():",
        'if not self.forgotten() and not self.is_blind() and self.source == self.constants["Stale"]:'),
    "sourceToldAgain": (
        "T6",
        "self.source_told = True",
        "self.source_told = False"),
    "toggleEndsSilentWindow": (
        "T7",
        "elif self.forgotten():",
        "else:"),
    "silentWindowBeginsAnew": (
        "T7",
        "if why is None:\n                self.begin(self.window)",
        "if why is None:\n                self.begin(self.window._replace(end=self.in_force().initial, elapsed=0))"),
    "waitEndsWithTheWish": (
        "link: a wait is waited to its end",
        'elif self.link == "waiting" and self.draining:',
        'elif self.link == "waiting" and not self.link_wanted():'),
    "dialsBeforeHungUp": (
        "S10",
        'elif self.link == "off" and self.link_wanted() and not self.hung:',
        'elif self.link == "off" and self.link_wanted():'),
    "forgivesAtTheKeyFrame": (
        "link: failures are forgotten after 30 s",
        'if self.constants["Steady"] == 0:',
        "if True:"),
    "firstEndpointAgain": (
        "link: what worked last",
        'elif connect != "auto":',
        "else:"),
    "oneEndpointAlone": (
        "link: both are dialled in turn",
        "if not worked:",
        "if False:"),
    "refusedLoginAsAnyOther": (
        "link: at least 300 s",
        'if failure == "unauthorized" else wait',
        "if False else wait"),
    "samePatience": (
        "link: twice as long with each further failure",
        'patience * 2 ** min(self.fails, self.constants["KeyShift"])',
        "patience"),
    "packetsCountFromNow": (
        "L2",
        'self.constants["Silence"] - int(ago)',
        'self.constants["Silence"]'),
    "viewersWantNoLink": (
        "intent: linkWanted",
        "return self.viewers > 0 or self.recording_wanted()",
        "return self.recording_wanted()"),
    "forcedWhileWanted": (
        "L3",
        'if not self.media_wanted():\n            self.close("now", clip.why)',
        'if True:\n            self.close("now", clip.why)'),
    "oneGraceMore": (
        "L3",
        'clip.graces < self.constants["MoreGraces"]',
        'clip.graces <= self.constants["MoreGraces"]'),
    "preRollForEachClip": (
        "recorder: only the first clip of an event asks for pre-roll",
        "event and not self.window.has_clip",
        "event"),
    "interruptedByTheLink": (
        "recorder: a lost link ends the clip with linkLost",
        'self.close("now", "linkLost")',
        'self.close("now", "interrupted")'),
    "threeClosing": (
        "S1",
        "len(self.closings) > 1",
        "len(self.closings) > 2"),
    "clipOutlivesItsEvent": (
        "recorder: a cut is due when the event ends",
        "        if self.clip.why:\n            return self.clip.why\n",
        ""),
    "drainingWaitsForAKeyFrame": (
        "S6",
        'why = self.forbidden() or ("storage" if',
        'why = (None if self.draining else self.forbidden()) or ("storage" if'),
    "ringOutlivesTheToggle": (
        "S7",
        "allowed = self.forbidden() is None",
        'allowed = self.forbidden() in (None, "disabled")'),
    "privacyBeforeDisabled": (
        "S13",
        'if not self.enabled:\n            return "disabled"\n        if why == "privacy":\n            return "privacy"',
        'if why == "privacy":\n            return "privacy"\n        if not self.enabled:\n            return "disabled"'),
    "blindBeforeStorage": (
        "S13",
        'if self.storage == "lost":\n            return "storage"',
        'if self.is_blind():\n            return "blind"\n        if self.storage == "lost":\n            return "storage"'),
    "noKeyFrameIsAFailure": (
        "recorder: where nothing has come that a clip could begin with, that is no failure",
        "if self.not_opened(number):\n            self.synchronize()",
        "if self.not_opened(number):\n            self.wait_to_retry()"),
    "forgivenessRunsOn": (
        "recorder: the 30 s after which failures are forgotten begin with the next key frame",
        "        self.steady = None\n        self.key, self.warned",
        "        self.key, self.warned"),
    "failsWhileItSynchronizesAnew": (
        "recorder: a link that worked has worked also where it ends while it waits for a key frame anew",
        "self.next_turn(worked=self.worked)",
        'self.next_turn(worked=self.link == "streaming" and self.worked)'),
}
