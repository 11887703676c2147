------------------------------- MODULE Camera -------------------------------
(* The camera: Link x Trigger x Recorder under one intent, from docs/design/camera.md. One machine; the configurations differ *)
(* in their constants and in the alphabet of the world (Kind), so each question has a state space that can be explored whole.  *)
EXTENDS Lib

CONSTANTS Kind,                             \* alphabet
          Polices,                          \* names of the policies that may come into force; the first state has StartPolicy
          StartPolicy, StartStorage, StartEnabled,
          Dial, Silence, HangBound,         \* bounds of the link; Never: none
          KeyWarn, KeyLong, KeyShift,       \* no key frame: reported after KeyWarn, given up after KeyLong * 2^min(failures, KeyShift)
          Connect,                          \* which endpoints are dialled: "lan", "internet", "lanFirst", "internetFirst", "auto"
          Steady,                           \* streaming after which the failures are forgotten; 0: with the key frame
          WaitCap, FailMax, Unauthorized,   \* back-off: min(2^(n-1), WaitCap); failures count to FailMax and alternate below it
          Stale,                            \* a source that is not refreshed
          OpenBound, CloseBound, Grace, Rest, ClipLength, RetryCap,
          MoreGraces,                       \* None: a due cut is forced at once, as a machine of before did
          CommandI, CommandM,
          Fixes                             \* which findings are mended: {} is camera.md as it is written

VARIABLES s, clock, calm    \* clock, calm: used by the liveness runs only

-----------------------------------------------------------------------------
(* Policies: mode, sensitivity, time control, connection, ticks until the schedule changes it. *)
Pol(mode, sens, i, a, m, b, conn, next) == [mode |-> mode, sens |-> sens, i |-> i, a |-> a, m |-> m, b |-> b, conn |-> conn, next |-> next]
Table == [off     |-> Pol("offByPolicy", 5, 1, 0, 1, 0, "always", None),
          offS    |-> Pol("offBySchedule", 5, 1, 0, 1, 0, "always", 1),
          ev      |-> Pol("event", 5, 2, 2, 5, 2, "always", None),
          evLow   |-> Pol("event", 1, 1, 1, 3, 0, "always", None),
          evA0    |-> Pol("event", 5, 2, 0, 5, 1, "always", None),
          evShort |-> Pol("event", 5, 1, 1, 2, 1, "always", None),
          evNoB   |-> Pol("event", 5, 1, 1, 2, 0, "always", None),
          onD     |-> Pol("event", 5, 1, 1, 2, 1, "onDemand", None),
          cont    |-> Pol("continuous", 5, 1, 1, 2, 1, "always", None),
          contEnd |-> Pol("continuous", 5, 1, 1, 2, 0, "always", 4),
          evEnd   |-> Pol("event", 5, 2, 2, 5, 0, "always", 4)]

(* The state. *)
NoWindow == [we |-> None, pv |-> None, lim |-> None, cmd |-> FALSE, sens |-> 0, a |-> 0, b |-> 0, m |-> 0, ch |-> None, cm |-> 0, ca |-> 0]
Start == [en |-> StartEnabled, pol |-> StartPolicy, next |-> Table[StartPolicy].next, hard |-> FALSE, soft |-> FALSE, live |-> FALSE,
          order |-> Connect, viewers |-> 0, storage |-> StartStorage, drain |-> FALSE, stopped |-> FALSE, ring |-> FALSE, label |-> "-",
          link |-> "off", lt |-> None, key |-> None, warned |-> FALSE, fails |-> 0, steady |-> None, worked |-> FALSE, other |-> "-", hang |-> None,
          trig |-> "quiet", win |-> NoWindow, blind |-> None, src |-> <<>>, first |-> FALSE,
          rec |-> "idle", rt |-> None, of |-> "-", why |-> "-", more |-> 0, rfails |-> 0, closing |-> <<>>]

P(x) == Table[x.pol]
Off(x) == P(x).mode \in {"offByPolicy", "offBySchedule"}
Mode(x) == IF Off(x) THEN "off" ELSE P(x).mode
Blocked(x) == x.hard \/ x.soft
EventsAllowed(x) == x.en /\ ~Off(x) /\ ~Blocked(x) /\ ~x.drain
RecordingWanted(x) == EventsAllowed(x) /\ x.storage # "lost"
Active(x) == x.trig = "active"
MediaWanted(x) == RecordingWanted(x) /\ (P(x).mode = "continuous" \/ Active(x))
LinkWanted(x) == ~x.drain /\ ~x.hard /\ (x.viewers > 0 \/ (RecordingWanted(x) /\ (P(x).conn = "always" \/ MediaWanted(x)
        \/ ("clipLink" \in Fixes /\ x.rec # "idle"))))

RECURSIVE Pow2(_)
Pow2(n) == IF n <= 0 THEN 1 ELSE 2 * Pow2(n - 1)
Wait(n, cap) == Min(Pow2(n - 1), cap)
Redial(n) == Wait(n, WaitCap)
Retry(n) == Wait(n, RetryCap)
OneMore(n) == IF n < FailMax THEN n + 1 ELSE FailMax - 1
Rep(w) == <<"report">> \o w

-----------------------------------------------------------------------------
(* Link. *)
(* The endpoint that is dialled, or will be next, is the first of the order unless the state names the other one. *)
First(x) == IF x.order \in {"internet", "internetFirst"} THEN "internet" ELSE "lan"
Endpoint(x) == IF x.other = "-" THEN First(x) ELSE x.other
(* A link is over: if it worked, the order says who comes next; else the other one has its turn. *)
Turn(x, worked) ==
    LET next == IF x.order \in {"lan", "internet"} THEN First(x)
                ELSE IF worked THEN (IF x.order = "auto" THEN Endpoint(x) ELSE First(x))
                ELSE IF Endpoint(x) = "lan" THEN "internet" ELSE "lan"
    IN IF next = First(x) THEN "-" ELSE next
Linked(x) == x.link \in {"dialing", "synchronizing", "streaming"}
Unlink(x, to) == [x EXCEPT !.link = to, !.lt = None, !.key = None, !.warned = FALSE, !.steady = None, !.worked = FALSE]
Moved(x, to) == <<Rep(<<"link", x.link, to>>)>>
DialNow(x) == R([Unlink(x, "dialing") EXCEPT !.lt = Dial], Moved(x, "dialing") \o <<<<"dial", Endpoint(x)>>>>)
(* The link failed: wait, longer each time. *)
LeastWait(why) == IF why \in {"unauthorized", "budget"} THEN Unauthorized ELSE IF why = "busy" THEN WaitCap ELSE 0
LinkFailed(x, why) ==
    LET n == OneMore(x.fails)
    IN R([Unlink(x, "waiting") EXCEPT !.fails = n, !.other = Turn(x, (x.link = "streaming" /\ x.steady = None) \/ x.worked), !.lt = Max(Redial(n), LeastWait(why))],
         <<Rep(<<"link", x.link, "waiting", why>>)>>)
GiveUp(x, why) == LET q == LinkFailed([x EXCEPT !.hang = HangBound], why) IN R(q.s, <<<<"hangUp">>>> \o q.fx)

LinkSettle(x) ==
    IF Linked(x) /\ ~LinkWanted(x) THEN R([Unlink(x, "off") EXCEPT !.hang = HangBound, !.other = IF x.link = "streaming" \/ x.worked THEN Turn(x, TRUE) ELSE @],
                                            <<<<"hangUp">>>> \o Moved(x, "off"))
    ELSE IF x.link = "waiting" /\ x.drain THEN R(Unlink(x, "off"), Moved(x, "off"))
    ELSE IF x.link = "off" /\ LinkWanted(x) /\ x.hang = None THEN DialNow(x)
    ELSE R(x, <<>>)

(* Owed hang-up, then the state's own deadlines: silence before a missing key frame. *)
DueHang(x) == IF x.hang = 0 THEN R([x EXCEPT !.hang = None], <<Rep(<<"hangUpOverdue">>)>>) ELSE R(x, <<>>)
DueLink(x) ==
    IF x.lt = 0 THEN
        CASE x.link = "waiting" -> IF LinkWanted(x) /\ x.hang = None THEN DialNow(x) ELSE R(Unlink(x, "off"), Moved(x, "off"))
          [] x.link = "dialing" -> GiveUp(x, "timeout")
          [] x.link \in {"synchronizing", "streaming"} -> GiveUp(x, "silence")
    ELSE R(x, <<>>)
(* It has streamed for long enough: the failures are forgotten. *)
DueSteady(x) == IF x.steady = 0 THEN R([x EXCEPT !.fails = 0, !.steady = None], <<>>) ELSE R(x, <<>>)
(* Nothing has come that a clip could begin with: the next key frame is waited for as after the dial. A link that worked has worked. *)
SynchronizeAnew(x) == R([x EXCEPT !.link = "synchronizing", !.key = KeyWarn, !.steady = None, !.worked = (x.steady = None)], Moved(x, "synchronizing"))
DueKey(x) ==
    IF x.key = 0 THEN
        IF x.warned THEN GiveUp(x, "noKeyFrame")
        ELSE R([x EXCEPT !.warned = TRUE, !.key = KeyLong * Pow2(Min(x.fails, KeyShift))], <<Rep(<<"noKeyFrameYet">>)>>)
    ELSE R(x, <<>>)

-----------------------------------------------------------------------------
(* Trigger. *)
Windowed(x) == x.trig \in {"active", "silent"}
EndIn(w) == Min(w.we, w.lim)
Ageing(c) == [c EXCEPT !.of = "-"]
(* Each order comes before the report of it. *)
Began == <<<<"beginEvent">>, Rep(<<"eventBegan">>)>>
Over(why) == <<<<"endEvent", why>>, Rep(<<"eventEnded", why>>)>>
Suppressed(why) == <<<<"noteSuppressed", why>>, Rep(<<"suppressed", why>>)>>
(* A window and its limit are at least this long. *)
Least == 1
(* A new event: the clips of the last one are an old one's. *)
Begin(x, i, a, m, b, cmd) ==
    LET loud == EventsAllowed(x)
        w == [NoWindow EXCEPT !.we = Max(i, Least), !.lim = Max(m, Least), !.cmd = cmd, !.sens = P(x).sens, !.a = a, !.b = b, !.m = Max(m, Least)]
        y == [x EXCEPT !.win = w, !.blind = None, !.trig = IF loud THEN "active" ELSE "silent"]
    IN IF loud THEN R([y EXCEPT !.first = TRUE, !.of = IF @ = "cur" THEN "old" ELSE @, !.closing = [k \in DOMAIN @ |-> Ageing(@[k])]],
                      Began)
       ELSE R(y, <<>>)
CanProlong(x) == Windowed(x) /\ x.win.pv \in {None, 0}
Prolong(x) ==
    LET w == [x.win EXCEPT !.pv = x.win.we, !.we = @ + x.win.a]
    IN R([x EXCEPT !.win = w], When(Active(x) /\ EndIn(w) # EndIn(x.win), <<Rep(<<"eventProlonged">>)>>))

OwesClipOfEvent(x) == x.of = "cur" \/ \E k \in DOMAIN x.closing : x.closing[k].of = "cur"
EndEvent(x, why) ==
    LET after == IF why \in {"quiet", "limit"} /\ ~x.win.cmd /\ x.win.b > 0 THEN "settling" ELSE "quiet"
    IN R([x EXCEPT !.trig = after, !.first = FALSE, !.win = IF after = "settling" THEN [NoWindow EXCEPT !.b = x.win.b] ELSE NoWindow,
                !.why = IF why \in {"quiet", "limit"} /\ x.of = "cur" /\ x.rec \in {"opening", "writing"} THEN why ELSE @],
         Over(why))

TrigAllowed(x) ==
    IF Active(x) /\ ~EventsAllowed(x)
    THEN EndEvent(x, IF x.drain THEN "draining" ELSE IF Blocked(x) THEN "privacy" ELSE IF ~x.en THEN "disabled" ELSE "policy")
    ELSE IF x.trig = "silent" /\ (x.drain \/ Blocked(x) \/ Off(x)) THEN R([x EXCEPT !.trig = "quiet", !.win = NoWindow], <<>>)
    ELSE IF x.trig = "silent" /\ x.en
    THEN R([x EXCEPT !.trig = "active", !.first = TRUE, !.of = IF @ = "cur" THEN "old" ELSE @, !.closing = [k \in DOMAIN @ |-> Ageing(@[k])]],
           Began)
    ELSE R(x, <<>>)
TrigSettled(x) ==
    IF x.trig = "settling" /\ ~OwesClipOfEvent(x) THEN R([x EXCEPT !.trig = "blind", !.blind = x.win.b, !.win = NoWindow], <<>>) ELSE R(x, <<>>)
(* The sources that are on, in the order of their numbers: until when they count, and whether they have been told as suppressed. *)
Without(q, k) == SubSeq(q, 1, k - 1) \o SubSeq(q, k + 1, Len(q))
RECURSIVE ForEach(_, _)
ForEach(q, fx) == IF q = <<>> THEN <<>> ELSE fx \o ForEach(Tail(q), fx)
SourcesMax == 8
Asserted(x, n, stale) ==
    LET k == Cardinality({j \in DOMAIN x.src : x.src[j].n < n})
    IN IF stale <= 0 THEN Ignored(x, "invalid")
       ELSE IF k < Len(x.src) /\ x.src[k + 1].n = n THEN R([x EXCEPT !.src[k + 1].t = stale], <<>>)
       ELSE IF Len(x.src) = SourcesMax THEN Ignored(x, "full")
       ELSE R([x EXCEPT !.src = SubSeq(@, 1, k) \o <<[n |-> n, t |-> stale, told |-> FALSE]>> \o SubSeq(@, k + 1, Len(@))], <<>>)
Cleared(x, n) ==
    LET off == SelectSeq(x.src, LAMBDA q : q.n # n)
    IN IF off = x.src THEN Ignored(x, "duplicate") ELSE R([x EXCEPT !.src = off], <<>>)
(* A source that is on counts whenever a detection would begin or prolong something. *)
SourceBegins(x) ==
    IF x.src # <<>> /\ x.trig = "quiet" /\ ~x.drain /\ ~Blocked(x) /\ ~Off(x)
    THEN Begin(x, P(x).i, P(x).a, P(x).m, P(x).b, FALSE)
    ELSE R(x, <<>>)
SourceProlongs(x) == IF x.src # <<>> /\ CanProlong(x) THEN Prolong(x) ELSE R(x, <<>>)
(* One that does not count is told as suppressed the first time, and never again while it is on. *)
SourceTold(x) ==
    LET why == IF x.drain THEN "draining" ELSE IF Blocked(x) THEN "privacy" ELSE IF Off(x) THEN "off"
               ELSE IF x.trig \in {"settling", "blind"} THEN "blind" ELSE IF x.trig = "silent" THEN "disabled" ELSE "-"
    IN IF why = "-" THEN R(x, <<>>)
       ELSE R([x EXCEPT !.src = [k \in DOMAIN @ |-> [@[k] EXCEPT !.told = TRUE]]], ForEach(SelectSeq(x.src, LAMBDA q : ~q.told), <<Rep(<<"suppressed", why>>)>>))
TrigSettle(x) == Then(Then(Then(Then(TrigAllowed(x), TrigSettled), SourceBegins), SourceProlongs), SourceTold)

Detected(x, level, inZone) ==
    LET supp(why) == R(x, Suppressed(why))
        noted(q) == R(q.s, q.fx \o (IF Active(q.s) THEN <<<<"noteDetection">>>> ELSE Suppressed("disabled")))
        sens == IF Windowed(x) THEN x.win.sens ELSE P(x).sens
    IN IF x.drain THEN supp("draining")
       ELSE IF Blocked(x) THEN supp("privacy")
       ELSE IF Off(x) THEN supp("off")
       ELSE IF ~inZone THEN supp("zone")
       ELSE IF level > sens THEN supp("sensitivity")
       ELSE CASE x.trig \in {"settling", "blind"} -> supp("blind")
              [] x.trig = "quiet" -> noted(Begin(x, P(x).i, P(x).a, P(x).m, P(x).b, FALSE))
              [] Windowed(x) -> noted(IF CanProlong(x) THEN Prolong(x) ELSE R(x, <<>>))
Commanded(x, i, a, m) ==
    IF i <= 0 \/ m < i \/ a < 0 THEN Ignored(x, "invalid")
    ELSE IF ~EventsAllowed(x)
    THEN R(x, <<<<"refused", IF x.drain THEN "draining" ELSE IF Blocked(x) THEN "privacy" ELSE IF Off(x) THEN "off" ELSE "disabled">>>>)
    ELSE IF Active(x)
    THEN LET most == Max(x.win.m, m)
             lim == IF most = Never THEN Never ELSE x.win.lim + most - x.win.m
             asked == Max(x.win.ch, i)
             chained == IF asked > lim THEN asked ELSE None
             (* Of the commands that are beyond the limit, the greatest M and A. *)
             w == [x.win EXCEPT !.we = Max(@, i), !.lim = lim, !.m = most, !.cmd = TRUE, !.ch = chained,
                                !.cm = IF chained = None THEN 0 ELSE IF i > lim THEN Max(@, m) ELSE @,
                                !.ca = IF chained = None THEN 0 ELSE IF i > lim THEN Max(@, a) ELSE @]
         IN R([x EXCEPT !.win = w], When(EndIn(w) # EndIn(x.win), <<Rep(<<"eventProlonged">>)>>))
    ELSE Begin(x, i, a, m, 0, TRUE)

DueStale(x) == R([x EXCEPT !.src = SelectSeq(@, LAMBDA q : q.t # 0)], ForEach(SelectSeq(x.src, LAMBDA q : q.t = 0), <<Rep(<<"sourceExpired">>)>>))
DueWindow(x) ==
    IF Windowed(x) /\ EndIn(x.win) = 0
    THEN IF Active(x) THEN LET q == EndEvent(x, IF x.win.we > x.win.lim THEN "limit" ELSE "quiet")
                           IN IF x.win.ch = None THEN q ELSE Then(q, LAMBDA y : Begin(y, x.win.ch, x.win.ca, x.win.cm, 0, TRUE))
         ELSE R([x EXCEPT !.trig = "quiet", !.win = NoWindow], <<>>)
    ELSE R(x, <<>>)
DueBlind(x) == IF x.blind = 0 THEN R([x EXCEPT !.trig = "quiet", !.blind = None], <<>>) ELSE R(x, <<>>)

-----------------------------------------------------------------------------
(* Recorder. *)
Holding(x) == x.rec # "idle"
ToClosing(x) == [x EXCEPT !.rec = "idle", !.rt = None, !.of = "-", !.why = "-", !.more = 0, !.closing = Append(@, [t |-> CloseBound, of |-> IF x.of = "cur" THEN "cur" ELSE "-",
    was |-> IF x.rec = "opening" THEN "opening" ELSE "open"])]
Ended(x, why) == R(ToClosing(x), <<Rep(<<"clipEnded", why>>)>>)
CloseNow(x, why) == R(ToClosing(x), <<<<"closeClip", "now", why>>, Rep(<<"clipEnded", why>>)>>)
(* A cut is due: at the next key frame, within Grace. *)
Cut(x, why) == R([x EXCEPT !.rec = "cutting", !.rt = Grace, !.why = why], <<<<"closeClip", "keyframe", why>>>>)
RecFailed(x) == LET n == OneMore(x.rfails) IN R([x EXCEPT !.rfails = n, !.rt = Retry(n)], <<Rep(<<"clipFailed">>)>>)

CloseReason(x) ==
    IF x.drain THEN "draining" ELSE IF Blocked(x) THEN "privacy" ELSE IF ~x.en THEN "disabled" ELSE IF Off(x) THEN "policy"
    ELSE IF x.storage = "lost" THEN "storage" ELSE IF x.link # "streaming" THEN "linkLost" ELSE "-"
EventOver(x) == x.of = "old" \/ (x.of = "cur" /\ ~Active(x))
RecSettle(x) ==
    IF Holding(x) /\ CloseReason(x) # "-" THEN CloseNow(x, CloseReason(x))
    ELSE IF x.rec = "writing" /\ x.why # "-" /\ (P(x).mode = "event" \/ "eventClip" \in Fixes) THEN Cut(x, x.why)
    (* In event mode a clip that belongs to no event is left from continuous mode: the event's own clip follows it. *)
    ELSE IF x.rec = "writing" /\ (~MediaWanted(x) \/ (P(x).mode = "event" /\ x.of = "none")) THEN Cut(x, "policy")
    ELSE IF x.rec = "idle" /\ x.rt = None /\ MediaWanted(x) /\ x.link = "streaming" /\ Len(x.closing) < 2
    THEN LET ev == P(x).mode = "event"
         IN R([x EXCEPT !.rec = "opening", !.rt = OpenBound, !.of = IF ev THEN "cur" ELSE "none"],
              <<<<"openClip", IF ev THEN "event" ELSE "continuous", IF ev /\ x.first THEN "preroll" ELSE "-">>>>)
    ELSE R(x, <<>>)
(* Close, then perhaps open: a settled recorder has nothing left to order. *)
RecSettles(x) == Then(RecSettle(x), RecSettle)

(* A known end so soon that a cut could leave a short rest before it. The schedule's change ends the clip at once, so all that the *)
(* cut may wait for its key frame counts; an event's last clip waits for a key frame itself.                                       *)
KnownEnd(x) ==
    LET soon(k, most) == IF k > 0 /\ k < most THEN k ELSE None
        event == IF P(x).mode = "event" /\ Active(x) THEN soon(EndIn(x.win), Rest) ELSE None
        change == soon(x.next, Rest + Grace)
    IN IF event = None THEN change ELSE IF change = None THEN event ELSE Min(event, change)
(* No key frame for a due cut: what nobody wants is cut here; what is wanted goes on, and at last a new dial is to bring one. *)
GraceOver(x) ==
    IF ~MediaWanted(x) \/ MoreGraces = None THEN CloseNow(x, x.why)
    ELSE IF x.more < MoreGraces
    THEN R([x EXCEPT !.rt = Grace, !.more = @ + 1], When(x.more = 0, <<Rep(<<"noKeyFrameYet">>)>>))
    ELSE GiveUp(x, "noKeyFrame")
DueRec(x) ==
    IF x.rt # 0 THEN R(x, <<>>)
    ELSE CASE x.rec = "idle" -> R([x EXCEPT !.rt = None], <<>>)
           [] x.rec = "opening" -> Then(CloseNow(x, "storage"), RecFailed)
           [] x.rec = "writing" -> IF KnownEnd(x) # None THEN R([x EXCEPT !.rt = KnownEnd(x)], <<>>)
                                   ELSE Cut(x, "length")
           [] x.rec = "cutting" -> GraceOver(x)
DueClosing(x) ==
    IF x.closing # <<>> /\ x.closing[1].t = 0 THEN R([x EXCEPT !.closing = Tail(@)], <<Rep(<<"closeOverdue">>)>>) ELSE R(x, <<>>)

-----------------------------------------------------------------------------
(* Ring, label, stop; settling. *)
KeepSettle(x) == IF EventsAllowed(x) /\ ~x.ring THEN R([x EXCEPT !.ring = TRUE], <<<<"keepRing">>>>) ELSE R(x, <<>>)
PurgeSettle(x) == IF ~EventsAllowed(x) /\ x.ring THEN R([x EXCEPT !.ring = FALSE], <<<<"purgeRing">>>>) ELSE R(x, <<>>)

Label(x) ==
    IF x.rec \in {"writing", "cutting"} THEN "recorded"
    ELSE IF x.drain THEN "recorderDown"
    ELSE IF ~x.en THEN "disabled"
    ELSE IF Blocked(x) THEN "privacy"
    ELSE IF Off(x) THEN P(x).mode
    ELSE IF x.storage = "lost" THEN "storage"
    ELSE IF LinkWanted(x) /\ x.link # "streaming" THEN "linkLost"
    ELSE IF MediaWanted(x) /\ x.rec = "opening" THEN "recorded"
    ELSE IF MediaWanted(x) /\ (x.rt # None \/ "label" \in Fixes) THEN "storage"
    ELSE IF x.trig \in {"settling", "blind"} THEN "blind"
    ELSE "idle"
LabelSettle(x) == IF Label(x) # x.label THEN R([x EXCEPT !.label = Label(x)], <<<<"label", Label(x)>>,
    Rep(<<"coverage", IF x.label = "-" THEN "recorderDown" ELSE x.label, Label(x)>>)>>) ELSE R(x, <<>>)
Idle(x) == x.link = "off" /\ x.hang = None /\ x.rec = "idle" /\ x.closing = <<>>
StopSettle(x) ==
    IF x.drain /\ Idle(x) /\ ~x.stopped
    THEN R([Start EXCEPT !.drain = TRUE, !.stopped = TRUE, !.label = x.label, !.en = x.en, !.pol = x.pol, !.next = None, !.hard = x.hard,
            !.soft = x.soft, !.live = x.live, !.order = x.order, !.storage = x.storage, !.viewers = x.viewers], <<<<"stopped">>>>)
    ELSE R(x, <<>>)

Settle(x) == Then(Then(Then(Then(Then(Then(TrigSettle(x), KeepSettle), RecSettles), PurgeSettle), LinkSettle), LabelSettle), StopSettle)
(* One change, and what it calls for. A change that did nothing calls for nothing. *)
Change(x, q) == IF q.s = x /\ q.fx = <<>> THEN q ELSE Then(q, Settle)

(* The state n ticks later, as far as no deadline is due before the last of them. *)
Later(x, n) ==
    LET down(k) == DownBy(k, n)
    IN [x EXCEPT !.next = IF @ > n THEN @ - n ELSE None, !.lt = down(@), !.key = down(@), !.steady = down(@), !.hang = down(@),
            !.win.we = down(@), !.win.pv = down(@), !.win.lim = down(@), !.win.ch = down(@), !.blind = down(@), !.rt = down(@),
            !.src = [k \in DOMAIN @ |-> [@[k] EXCEPT !.t = down(@)]], !.closing = [k \in DOMAIN @ |-> [@[k] EXCEPT !.t = down(@)]]]
DueProlong(x) == SourceProlongs(x)
(* The first step settles what was there before it. *)
Begun(x) == IF x.label = "-" THEN Settle(x) ELSE R(x, <<>>)
(* The deadlines that are due now, in the order of ties; each is one change. *)
Due(x) ==
    LET a == Change(x, DueStale(x))
        b == Then(a, LAMBDA y : Change(y, DueWindow(y)))
        d == Then(b, LAMBDA y : Change(y, DueProlong(y)))
        e == Then(d, LAMBDA y : Change(y, DueBlind(y)))
        f == Then(e, LAMBDA y : Change(y, DueHang(y)))
        g == Then(Then(f, LAMBDA y : Change(y, DueLink(y))), LAMBDA y : Change(y, DueSteady(y)))
        h == Then(g, LAMBDA y : Change(y, DueKey(y)))
        i == Then(h, LAMBDA y : Change(y, DueRec(y)))
        j == Then(i, LAMBDA y : Change(y, DueClosing(y)))
    IN Then(j, LAMBDA y : Change(y, DueClosing(y)))
Tick(x) == Then(Begun(Later(x, 1)), Due)

-----------------------------------------------------------------------------
(* Events. *)
Set(x, y, fx) == IF x = y THEN Ignored(x, "duplicate") ELSE Change(x, R(y, <<<<"intent">>>> \o fx))
Fed(x, last) == [x EXCEPT !.lt = IF Silence = Never THEN @ ELSE IF @ = None THEN None ELSE Max(@, Silence - last)]

Link(x, e) ==
    LET n == e[2]
    IN
    CASE n \in {"late", "unknown"} -> Ignored(x, n)
      [] n = "hung" -> IF e[1] \in {"hungUp", "dialFailed", "lost"} THEN Change(x, R([x EXCEPT !.hang = None], <<>>)) ELSE Ignored(x, "late")
      [] n = "cur" /\ e[1] = "dialed" ->
           IF x.link # "dialing" THEN Ignored(x, "duplicate")
           ELSE Change(x, R([Unlink(x, "synchronizing") EXCEPT !.lt = Silence, !.key = KeyWarn], Moved(x, "synchronizing")))
      [] n = "cur" /\ e[1] = "dialFailed" ->
           IF x.link # "dialing" THEN Ignored(x, "duplicate")
           ELSE Change(x, LinkFailed(x, e[3]))
      [] n = "cur" /\ e[1] = "hungUp" -> Ignored(x, "early")
      [] n = "cur" /\ e[1] = "lost" -> Change(x, LinkFailed(x, IF Len(e) > 2 THEN e[3] ELSE "closed"))
      [] n = "cur" /\ e[1] = "packets" -> IF x.link = "dialing" THEN Ignored(x, "early") ELSE R(Fed(x, NumberOf[e[3]]), <<>>)
      [] n = "cur" /\ e[1] = "keyframe" ->
           IF x.link = "dialing" THEN Ignored(x, "early")
           ELSE IF x.link = "streaming" THEN R(Fed(x, 0), <<>>)
           ELSE Change(x, R([Fed(x, 0) EXCEPT !.link = "streaming", !.key = None, !.worked = FALSE, !.warned = FALSE, !.fails = IF Steady = 0 THEN 0 ELSE @,
                                              !.steady = IF x.fails > 0 /\ Steady > 0 THEN Steady ELSE None], Moved(x, "streaming")))

LengthOf(x) == ClipLength
(* c1, c2: the clips being closed, the older first. *)
Which(e) == IF e[2] = "c1" THEN 1 ELSE 2
Rec(x, e) ==
    LET n == e[2]
        k == Which(e)
    IN
    CASE n \in {"late", "unknown"} -> Ignored(x, n)
      [] n \in {"c1", "c2"} /\ e[1] \in {"opened", "cut", "writeFailed", "streamChanged"} -> Ignored(x, "late")
      [] n \in {"c1", "c2"} /\ e[1] \in {"openFailed", "keyframeMissing"} ->
           IF x.closing[k].was = "opening" THEN Change(x, R([x EXCEPT !.closing = Without(@, k)], <<Rep(<<"clipFailed">>)>>)) ELSE Ignored(x, "duplicate")
      [] n \in {"c1", "c2"} /\ e[1] = "closed" ->
           Change(x, R([x EXCEPT !.closing = Without(@, k), !.rfails = IF e[3] = "complete" THEN 0 ELSE @], <<Rep(<<"clipClosed", e[3]>>)>>))
      [] n = "cur" /\ e[1] = "opened" ->
           IF x.rec # "opening" THEN Ignored(x, "duplicate")
           ELSE Change(x, R([x EXCEPT !.rec = "writing", !.rt = Max(LengthOf(x) - NumberOf[e[3]], 0), !.first = IF x.of = "cur" THEN FALSE ELSE @], <<Rep(<<"clipOpened">>)>>))
      [] n = "cur" /\ e[1] = "openFailed" ->
           IF x.rec # "opening" THEN Ignored(x, "duplicate")
           ELSE Change(x, RecFailed([x EXCEPT !.rec = "idle", !.of = "-", !.why = "-"]))
      [] n = "cur" /\ e[1] = "keyframeMissing" ->
           IF x.rec # "opening" THEN Ignored(x, "duplicate")
           ELSE Change(x, SynchronizeAnew([x EXCEPT !.rec = "idle", !.rt = None, !.of = "-", !.why = "-"]))
      [] n = "cur" /\ e[1] = "closed" -> Ignored(x, "early")
      [] n = "cur" /\ e[1] = "cut" -> IF x.rec # "cutting" THEN Ignored(x, "early") ELSE Change(x, Ended(x, x.why))
      [] n = "cur" /\ e[1] = "writeFailed" -> IF x.rec = "opening" THEN Ignored(x, "early") ELSE Change(x, Then(CloseNow(x, "storage"), RecFailed))
      [] n = "cur" /\ e[1] = "streamChanged" -> IF x.rec = "opening" THEN Ignored(x, "early") ELSE Change(x, Ended(x, "streamChanged"))

LinkEvents == {"dialed", "dialFailed", "lost", "hungUp", "packets", "keyframe"}
RecEvents == {"opened", "openFailed", "keyframeMissing", "cut", "writeFailed", "streamChanged", "closed"}

(* "intent" only marks that something changed; it is no effect of the machine. *)
Unmarked(q) == R(q.s, SelectSeq(q.fx, LAMBDA t : t[1] # "intent"))

Fact(x, e) ==
    CASE x.stopped -> Ignored(x, "stopped")
      [] ~x.stopped /\ e[1] \in LinkEvents -> Link(x, e)
      [] ~x.stopped /\ e[1] \in RecEvents -> Rec(x, e)
      [] ~x.stopped /\ e[1] = "detected" -> Change(x, Detected(x, NumberOf[e[2]], e[3] = "in"))
      [] ~x.stopped /\ e[1] = "command" -> LET q == IF Len(e) > 1 THEN Commanded(x, e[2], e[3], e[4]) ELSE Commanded(x, CommandI, 0, CommandM)
                                           IN IF IsRefusal(q.fx) THEN q ELSE Change(x, q)
      [] ~x.stopped /\ e[1] = "asserted" ->
           LET q == IF Len(e) > 1 THEN Asserted(x, e[2], e[3]) ELSE Asserted(x, 0, Stale) IN IF IsRefusal(q.fx) THEN q ELSE Change(x, q)
      [] ~x.stopped /\ e[1] = "cleared" -> LET q == Cleared(x, IF Len(e) > 1 THEN e[2] ELSE 0) IN IF IsRefusal(q.fx) THEN q ELSE Change(x, q)
      [] ~x.stopped /\ e[1] = "enabled" -> Unmarked(Set(x, [x EXCEPT !.en = (e[2] = "1")], <<Rep(<<"enabled", e[2]>>)>>))
      [] ~x.stopped /\ e[1] = "hard" -> Unmarked(Set(x, [x EXCEPT !.hard = (e[2] = "1")], <<Rep(<<"privacy", e[2], Flag(x.soft)>>)>>))
      [] ~x.stopped /\ e[1] = "soft" -> Unmarked(Set(x, [x EXCEPT !.soft = (e[2] = "1")], <<Rep(<<"privacy", Flag(x.hard), e[2]>>)>>))
      [] ~x.stopped /\ e[1] = "privacy" -> Unmarked(Set(x, [x EXCEPT !.hard = (e[2] = "1"), !.soft = (e[3] = "1"), !.live = (e[4] = "1")],
                                               <<Rep(<<"privacy", e[2], e[3], e[4]>>)>>))
      [] ~x.stopped /\ e[1] = "viewers" -> IF NumberOf[e[2]] < 0 THEN Ignored(x, "invalid") ELSE Unmarked(Set(x, [x EXCEPT !.viewers = NumberOf[e[2]]], <<>>))
      [] ~x.stopped /\ e[1] = "policy" -> LET y == [x EXCEPT !.pol = e[2], !.next = IF Len(e) > 2 THEN e[3] ELSE Table[e[2]].next]
                                              IN Unmarked(Set(x, y, When(Mode(x) # Mode(y), <<Rep(<<"mode", Mode(x), Mode(y)>>)>>)))
      [] ~x.stopped /\ e[1] = "storage" ->
           Unmarked(Set(x, [x EXCEPT !.storage = e[2], !.rt = IF x.storage = "lost" /\ e[2] # "lost" /\ x.rec = "idle" THEN None ELSE @],
                        <<Rep(<<"storage", x.storage, e[2]>>)>>))
      [] ~x.stopped /\ e[1] = "drain" -> Unmarked(Set(x, [x EXCEPT !.drain = TRUE], <<>>))
      [] ~x.stopped /\ e[1] = "connect" ->
           LET new == [Unlink(x, "off") EXCEPT !.fails = 0, !.other = "-", !.order = IF Len(e) > 1 THEN e[2] ELSE @]
           IN Unmarked(Change(x, IF Linked(x) THEN R([new EXCEPT !.hang = HangBound], <<<<"hangUp">>>> \o Moved(x, "off"))
                                 ELSE R(new, IF x.link = "off" THEN <<<<"intent">>>> ELSE Moved(x, "off"))))
Step(x, e) == IF e[1] = "tick" THEN Tick(x) ELSE Then(Begun(x), LAMBDA y : Fact(y, e))

-----------------------------------------------------------------------------
(* The alphabets. An answer is offered in every class that its number can have: "cur" for what is outstanding, "hung" for a dial  *)
(* whose hang-up is owed, "c1" and "c2" for the clips being closed (the older first), "late" for a number that is over, "unknown". *)
LinkAnswers(x) ==
    (IF x.link = "dialing" THEN {<<"dialed", "cur">>, <<"dialFailed", "cur", "refused">>, <<"lost", "cur">>}
                                \cup (IF Kind = "link" THEN {<<"dialFailed", "cur", "unauthorized">>} ELSE {}) ELSE {})
    \cup (IF x.link \in {"synchronizing", "streaming"} THEN {<<"keyframe", "cur">>, <<"lost", "cur">>} ELSE {})
    \cup (IF Kind = "link" /\ x.link \in {"synchronizing", "streaming"}
          THEN {<<"packets", "cur", "0">>, <<"packets", "cur", "1">>, <<"dialed", "cur">>, <<"dialFailed", "cur", "refused">>, <<"hungUp", "cur">>} ELSE {})
    \cup (IF Kind = "link" /\ x.link = "dialing" THEN {<<"packets", "cur", "0">>, <<"keyframe", "cur">>, <<"hungUp", "cur">>} ELSE {})
    \cup (IF x.hang # None THEN {<<"hungUp", "hung">>} \cup (IF Kind = "link" THEN {<<"dialFailed", "hung", "refused">>, <<"lost", "hung">>, <<"dialed", "hung">>,
                                                                                   <<"keyframe", "hung">>, <<"packets", "hung", "0">>} ELSE {}) ELSE {})
RecAnswers(x) ==
    (IF x.rec = "opening" THEN {<<"opened", "cur", "0">>, <<"openFailed", "cur">>, <<"keyframeMissing", "cur">>} \cup (IF Kind = "recorder" THEN {<<"opened", "cur", "1">>} ELSE {}) ELSE {})
    \cup (IF Kind = "recorder" /\ x.rec = "opening" THEN {<<n, "cur">> : n \in {"cut", "writeFailed", "streamChanged"}} \cup {<<"closed", "cur", "complete">>} ELSE {})
    \cup (IF x.rec \in {"writing", "cutting"} THEN {<<"writeFailed", "cur">>} \cup (IF Kind = "recorder" THEN {<<"streamChanged", "cur">>, <<"opened", "cur", "0">>,
                                                        <<"openFailed", "cur">>, <<"keyframeMissing", "cur">>, <<"closed", "cur", "complete">>, <<"cut", "cur">>} ELSE {}) ELSE {})
    \cup (IF x.rec = "cutting" THEN {<<"cut", "cur">>} ELSE {})
    \cup UNION {{<<"closed", c, "complete">>} \cup (IF Kind = "recorder" THEN {<<"closed", c, "incomplete">>, <<"openFailed", c>>, <<"keyframeMissing", c>>, <<"opened", c, "0">>,
                                                          <<"cut", c>>, <<"writeFailed", c>>, <<"streamChanged", c>>} ELSE {})
                : c \in (IF Len(x.closing) > 0 THEN {"c1"} ELSE {}) \cup (IF Len(x.closing) > 1 THEN {"c2"} ELSE {})}
Late == {<<"dialed", "late">>, <<"lost", "unknown">>, <<"opened", "late", "0">>, <<"closed", "late", "complete">>, <<"cut", "unknown">>}
LinkLate == {<<n, k>> : n \in {"dialed", "lost", "hungUp", "keyframe"}, k \in {"late", "unknown"}} \cup {<<"packets", k, "0">> : k \in {"late", "unknown"}}
Toggles == {<<n, b>> : n \in {"enabled", "soft"}, b \in {"0", "1"}}
Storage == {<<"storage", v>> : v \in {"ok", "lost"}}
Policies == {<<"policy", p>> : p \in Polices}
Events(x) == {<<"tick">>, <<"drain">>} \cup
    CASE Kind = "link" -> LinkAnswers(x) \cup LinkLate \cup Toggles \cup Storage \cup Policies
                          \cup {<<"hard", "0">>, <<"hard", "1">>, <<"viewers", "0">>, <<"viewers", "1">>, <<"connect">>}
      [] Kind = "trigger" -> Toggles \cup Policies \cup {<<"detected", l, "in">> : l \in {"1", "5", "10"}} \cup {<<"detected", "1", "out">>}
                             \cup {<<"command">>, <<"asserted">>, <<"cleared">>}
      [] Kind = "recorder" -> LinkAnswers(x) \cup RecAnswers(x) \cup Late \cup Storage \cup Policies \cup {<<"enabled", "0">>, <<"enabled", "1">>, <<"detected", "1", "in">>}
      [] Kind = "product" -> LinkAnswers(x) \cup RecAnswers(x) \cup Late \cup Toggles \cup Storage \cup Policies
                             \cup {<<"detected", "1", "in">>, <<"command">>, <<"asserted">>, <<"cleared">>, <<"hard", "0">>, <<"hard", "1">>, <<"viewers", "0">>, <<"viewers", "1">>, <<"connect">>}
      [] Kind = "linkView" -> LinkAnswers(x) \cup {<<"enabled", "0">>, <<"enabled", "1">>, <<"connect">>, <<"lost", "late">>, <<"lost", "unknown">>,
                                                      <<"viewers", "0">>, <<"viewers", "1">>}
                               \cup (IF x.link \in {"synchronizing", "streaming"} THEN {<<"packets", "cur", "0">>, <<"packets", "cur", "1">>} ELSE {})
                               \cup (IF x.link = "dialing" THEN {<<"dialFailed", "cur", "unauthorized">>} ELSE {})
      [] Kind = "triggerView" -> {<<"enabled", "0">>, <<"enabled", "1">>, <<"soft", "0">>, <<"soft", "1">>, <<"detected", "1", "in">>, <<"detected", "10", "in">>,
                                  <<"command">>, <<"asserted">>, <<"cleared">>}
      [] Kind = "recorderView" -> RecAnswers(x) \cup {<<"detected", "1", "in">>}
                                  \cup (IF x.link = "dialing" THEN {<<"dialed", "cur">>} ELSE {})
                                  \cup (IF x.link = "synchronizing" THEN {<<"keyframe", "cur">>} ELSE {})
                                  \cup (IF x.link = "streaming" /\ x.rec = "writing" THEN {<<"lost", "cur">>} ELSE {})
      [] Kind = "keyframeView" -> RecAnswers(x)
                                  \cup (IF x.link = "dialing" THEN {<<"dialed", "cur">>} ELSE {})
                                  \cup (IF x.link = "synchronizing" THEN {<<"keyframe", "cur">>} ELSE {})
                                  \cup (IF x.link \in {"synchronizing", "streaming"} THEN {<<"packets", "cur", "0">>, <<"lost", "cur">>} ELSE {})
                                  \cup (IF x.hang # None THEN {<<"hungUp", "hung">>} ELSE {})
      [] Kind = "small" -> LinkAnswers(x) \cup RecAnswers(x) \cup Storage \cup Policies \cup {<<"enabled", "0">>, <<"enabled", "1">>, <<"detected", "1", "in">>}

WindowText(w) == IF w = NoWindow THEN "-" ELSE Left(w.we) \o "/" \o Left(w.pv) \o "/" \o Left(w.lim) \o "/" \o Flag(w.cmd) \o "/" \o Str(w.sens) \o "/" \o Str(w.a) \o "/" \o Str(w.b) \o "/" \o Left(w.m) \o "/" \o Left(w.ch)
SourceText(q, Of(_), none) == IF q = <<>> THEN none ELSE JoinBy([k \in DOMAIN q |-> Of(q[k])], "+")
ClosingText(q) == IF q = <<>> THEN "-" ELSE JoinBy([k \in DOMAIN q |-> Left(q[k].t) \o ":" \o q[k].of \o ":" \o q[k].was], "+")
Text(x) == x.link \o "/" \o x.trig \o "/" \o x.rec
    \o Field("en", Flag(x.en), "1") \o " pol=" \o x.pol \o Field("next", Left(x.next), "-") \o Field("hard", Flag(x.hard), "0")
    \o Field("soft", Flag(x.soft), "0") \o Field("viewers", Str(x.viewers), "0") \o Field("storage", x.storage, "ok")
    \o Field("drain", Flag(x.drain), "0") \o Field("stopped", Flag(x.stopped), "0") \o Field("ring", Flag(x.ring), "0")
    \o " label=" \o x.label
    \o Field("lt", Left(x.lt), "-") \o Field("key", Left(x.key), "-") \o Field("warned", Flag(x.warned), "0")
    \o Field("fails", Str(x.fails), "0") \o Field("steady", Left(x.steady), "-") \o Field("worked", Flag(x.worked), "0") \o Field("other", x.other, "-") \o Field("hang", Left(x.hang), "-")
    \o Field("win", WindowText(x.win), "-") \o Field("blind", Left(x.blind), "-") \o Field("src", SourceText(x.src, LAMBDA q : Left(q.t), "-"), "-")
    \o Field("told", SourceText(x.src, LAMBDA q : Flag(q.told), "0"), "0")
    \o Field("first", Flag(x.first), "0")
    \o Field("rt", Left(x.rt), "-") \o Field("of", x.of, "-") \o Field("why", x.why, "-") \o Field("more", Str(x.more), "0") \o Field("rfails", Str(x.rfails), "0")
    \o Field("closing", ClosingText(x.closing), "-")

-----------------------------------------------------------------------------
Init == s = Start /\ clock = 0 /\ calm = "no"
Next == \E e \in Events(s) : s' = Step(s, e).s /\ UNCHANGED <<clock, calm>>
NextPrint == \E e \in Events(s) :
    LET r == Step(s, e) IN s' = r.s /\ UNCHANGED <<clock, calm>> /\ PrintT(EdgeText(Text(s), e, Text(r.s), r.fx))

(* Liveness: any history, then one of these worlds for good.                                                                   *)
(* dead: nobody answers anything. benign: everything succeeds before the next tick and a stream is fed.                          *)
(* nokey: as benign, but no key frame ever comes where a cut waits for one. help: first every obstacle is taken away.            *)
Fix(x) == IF ~x.en THEN {<<"enabled", "1">>} ELSE IF x.hard THEN {<<"hard", "0">>} ELSE IF x.soft THEN {<<"soft", "0">>}
          ELSE IF x.storage # "ok" THEN {<<"storage", "ok">>} ELSE IF x.pol # "cont" THEN {<<"policy", "cont">>} ELSE {}
Good(x) == (IF x.link = "dialing" THEN {<<"dialed", "cur">>} ELSE {})
    \cup (IF x.link = "synchronizing" \/ (x.link = "streaming" /\ x.lt = 1) THEN {<<"keyframe", "cur">>} ELSE {})
    \cup (IF x.hang # None THEN {<<"hungUp", "hung">>} ELSE {})
    \cup (IF x.rec = "opening" THEN {<<"opened", "cur", "0">>} ELSE {})
    \cup (IF x.rec = "cutting" /\ calm # "nokey" THEN {<<"cut", "cur">>} ELSE {})
    \cup (IF x.closing # <<>> THEN {<<"closed", "c1", "complete">>} ELSE {})
CalmEvents(x) ==
    CASE calm = "dead" -> {<<"tick">>}
      [] calm \in {"benign", "nokey"} -> IF Good(x) = {} THEN {<<"tick">>} ELSE Good(x)
      [] calm = "help" -> IF ~x.stopped /\ ~x.drain /\ Fix(x) # {} THEN Fix(x) ELSE IF Good(x) = {} THEN {<<"tick">>} ELSE Good(x)
Worlds == {"dead", "benign", "nokey", "help"}
NextTimed == \/ \E e \in (IF calm = "no" THEN Events(s) ELSE CalmEvents(s)) :
                   s' = Step(s, e).s /\ clock' = (IF e = <<"tick">> /\ calm # "no" THEN 1 - clock ELSE clock) /\ UNCHANGED calm
             \/ calm = "no" /\ calm' \in Worlds /\ UNCHANGED <<s, clock>>
TimePasses == []<>(clock = 0) /\ []<>(clock = 1)

ForSteps(Q(_, _)) == \A e \in Events(s) : Q(e, Step(s, e))
Settled == s.label # "-"
TypeOK == /\ s.link \in {"off", "waiting", "dialing", "synchronizing", "streaming"} /\ s.trig \in {"quiet", "active", "silent", "settling", "blind"}
          /\ s.rec \in {"idle", "opening", "writing", "cutting"} /\ (s.lt # None) = (s.link # "off") /\ (s.key # None) = (s.link = "synchronizing")
          /\ (s.rec # "idle" => s.rt # None) /\ (s.of # "-") = (s.rec # "idle") /\ (s.rec = "cutting" => s.why # "-")
          /\ (s.why # "-" => s.rec \in {"opening", "cutting"}) /\ (s.blind # None) = (s.trig = "blind")
          /\ (s.first => Active(s)) /\ (s.win # NoWindow) = (s.trig \in {"active", "silent", "settling"}) /\ s.fails \in 0..FailMax /\ Len(s.src) <= SourcesMax
          /\ s.more \in 0..MoreGraces /\ (s.more > 0 => s.rec = "cutting")
          /\ (s.steady # None) = (s.link = "streaming" /\ s.fails > 0) /\ (s.worked => s.link = "synchronizing" /\ s.fails = 0)
          /\ s.other \in {"-", "lan", "internet"} \ {First(s)}
(* What is settled has nothing left to order, and the reported label is that of the state. *)
S_settled == Settled => Settle(s).s = s /\ Settle(s).fx = <<>>
S1_oneOpenTwoClosing == Len(s.closing) <= 2
S1_eventsAlternate(e, r) == LET n(w) == Cardinality({i \in DOMAIN r.fx : r.fx[i][1] = "report" /\ r.fx[i][2] = w})
    IN n("eventBegan") - n("eventEnded") = (IF Active(r.s) THEN 1 ELSE 0) - (IF Active(s) THEN 1 ELSE 0)
(* What enters an event, and what enters its end, is ordered as often. *)
S1_rowsAlternate(e, r) == CountName(r.fx, "beginEvent") - CountName(r.fx, "endEvent") = (IF Active(r.s) THEN 1 ELSE 0) - (IF Active(s) THEN 1 ELSE 0)
S1_clipsAlternate(e, r) == CountName(r.fx, "openClip") - Cardinality({i \in DOMAIN r.fx : r.fx[i][1] = "report" /\ r.fx[i][2] = "clipEnded"}) =
    (IF r.s.rec = "idle" THEN 0 ELSE 1) - (IF s.rec = "idle" THEN 0 ELSE 1) + (IF e \in {<<"openFailed", "cur">>, <<"keyframeMissing", "cur">>} /\ ~IsRefusal(r.fx) THEN 1 ELSE 0)
S2_openOnlyStreaming(e, r) == HasName(r.fx, "openClip") => r.s.link = "streaming" \/ (s.link = "streaming" /\ e = <<"tick">>)
S2_prerollOnce(e, r) == Has(r.fx, <<"openClip", "event", "preroll">>) => r.s.first
S3_namedEnd(e, r) == \A w \in {"quiet", "limit"} : Has(r.fx, <<"report", "eventEnded", w>>) => e = <<"tick">> /\ Active(s) /\ EndIn(s.win) = 1
S3_namedCause(e, r) == Has(r.fx, <<"report", "eventEnded", "privacy">>) => Blocked(r.s)
S3_linkLeavesEvents(e, r) == e[1] \in LinkEvents => r.s.stopped \/ (r.s.trig = s.trig /\ r.s.win = s.win)
(* No short rest is left before a change that the schedule has told; the change itself is told anew each time it moves. *)
S3_noShortRest(e, r) == Has(r.fx, <<"report", "clipEnded", "length">>) /\ (Polices = {"contEnd", "off"} \/ (Polices = {"evEnd", "off"} /\ HasName(r.fx, "openClip"))) => r.s.next = None \/ r.s.next >= Rest \/ s.more > 0
S4_prolonging(e, r) == Windowed(s) /\ Windowed(r.s) /\ e[1] \in {"detected", "asserted"} =>
    /\ r.s.win.lim = s.win.lim /\ r.s.win.a = s.win.a /\ r.s.win.sens = s.win.sens
    /\ (r.s.win.we # s.win.we => r.s.win.we = s.win.we + s.win.a /\ CanProlong(s) /\ r.s.win.pv = s.win.we)
(* A window is no longer than the greatest M that took part; what a command asks for beyond that is another event. *)
S4_limit == Windowed(s) => s.win.lim <= s.win.m /\ s.win.m <= Max(CommandM, 5) /\ EndIn(s.win) > 0 /\ (~s.win.cmd => s.win.m <= 5)
S4_chained == s.win.ch # None => Active(s) /\ s.win.cmd /\ s.win.ch > s.win.lim /\ s.win.we >= s.win.ch /\ s.win.ch <= CommandI
S5_blind(e, r) == s.trig \in {"settling", "blind"} /\ ~(e = <<"command">> \/ e = <<"tick">>) =>
    ~Has(r.fx, <<"report", "eventBegan">>) /\ (s.trig = "blind" => r.s.stopped \/ (r.s.trig = "blind" /\ r.s.blind = s.blind))
S5_blindFollows(e, r) == (s.trig = "active" /\ r.s.trig \in {"settling", "blind"}) => ~s.win.cmd /\ s.win.b > 0 /\
    (Has(r.fx, <<"report", "eventEnded", "quiet">>) \/ Has(r.fx, <<"report", "eventEnded", "limit">>))
S5_blindIsWhole(e, r) == s.trig # "blind" /\ r.s.trig = "blind" => r.s.blind = (IF s.trig = "settling" \/ Active(s) THEN s.win.b ELSE r.s.blind)
(* While the blind time waits for the event's clip, that clip is on its way to its end. *)
S5_clipOfEvent == s.rec = "writing" /\ P(s).mode = "event" => s.of = "cur"
S5_settlingEnds == s.trig = "settling" => s.rec # "writing" \/ s.of # "cur"
S6_notWantedNotOpen == ~RecordingWanted(s) => s.rec = "idle"
S6_orderedClosed(e, r) == s.rec # "idle" /\ ~RecordingWanted(r.s) => HasName(r.fx, "closeClip") \/ e[1] \in {"cut", "openFailed", "keyframeMissing"}
S7_nothingKeptInPrivacy == Blocked(s) => ~s.ring /\ s.rec = "idle" /\ (s.hard => ~Linked(s))
S7_ringIsAllowed == Settled => s.ring = (EventsAllowed(s) /\ ~s.stopped)
S7_ringOrder == ForSteps(LAMBDA e, r :
    /\ (HasName(r.fx, "keepRing") /\ HasName(r.fx, "openClip") => FirstName(r.fx, "keepRing") < FirstName(r.fx, "openClip"))
    /\ (HasName(r.fx, "purgeRing") /\ HasName(r.fx, "closeClip") => FirstName(r.fx, "closeClip") < FirstName(r.fx, "purgeRing")))
S8_stopped == s.stopped => /\ Idle(s) /\ s.lt = None /\ s.rt = None /\ s.src = <<>> /\ s.blind = None /\ s.win = NoWindow /\ ~s.ring
    /\ ForSteps(LAMBDA e, r : r.s = s /\ (e # <<"tick">> => IsRefusal(r.fx)))
S9_ignoredChangesNothing(e, r) == IsRefusal(r.fx) => r.s = s
S9_lateIsIgnored(e, r) == Settled /\ Len(e) > 1 /\ e[2] \in {"late", "unknown"} => IsRefusal(r.fx)
S10_hangUpBeforeDial == /\ (s.hang # None => ~Linked(s))
    /\ ForSteps(LAMBDA e, r : HasName(r.fx, "dial") => ~Linked(s) \/ HasName(r.fx, "hangUp") \/ e[1] = "lost")
(* Where only one endpoint is named no other is dialled. A dial that fails gives the other one its turn; new settings begin anew. *)
L1_endpoint(e, r) == \A i \in DOMAIN r.fx : r.fx[i][1] = "dial" =>
    /\ (Connect \in {"lan", "internet"} => r.fx[i][2] = First(s))
    /\ (e = <<"connect">> => r.fx[i][2] = First(s))
    /\ r.fx[i][2] = Endpoint(r.s) \/ e = <<"tick">>
L1_turn(e, r) == e[1] = "dialFailed" /\ s.link = "dialing" /\ r.s.link = "waiting" => (Endpoint(r.s) = Endpoint(s)) = (Connect \in {"lan", "internet"})
S10_closeBeforeOpen(e, r) == HasName(r.fx, "openClip") /\ s.rec # "idle" /\ HasName(r.fx, "closeClip") => FirstName(r.fx, "closeClip") < FirstName(r.fx, "openClip")
S10_closeBeforeHangUp(e, r) == HasName(r.fx, "hangUp") /\ HasName(r.fx, "closeClip") /\ e[1] \notin {"tick", "connect"} =>
    FirstName(r.fx, "closeClip") < FirstName(r.fx, "hangUp")
(* An event is entered before a clip that names it is opened, and before a detection is noted for it. *)
S10_eventBeforeClip(e, r) == \A i \in DOMAIN r.fx : r.fx[i] = <<"noteDetection">> \/ (r.fx[i][1] = "openClip" /\ r.fx[i][2] = "event") =>
    LET k == {j \in 1..(i - 1) : r.fx[j][1] \in {"beginEvent", "endEvent"}}
    IN IF k = {} THEN Active(s) ELSE r.fx[CHOOSE j \in k : \A l \in k : l <= j][1] = "beginEvent"
(* A report tells what was ordered just before it; what is ordered is told. *)
OrderOf(t) == CASE t[1] # "report" -> <<>>
                [] t[1] = "report" /\ t[2] = "eventBegan" -> <<"beginEvent">>
                [] t[1] = "report" /\ t[2] = "eventEnded" -> <<"endEvent", t[3]>>
                [] t[1] = "report" /\ t[2] = "coverage" -> <<"label", t[4]>>
                [] OTHER -> <<>>
S11_ordersAreTold(e, r) ==
    /\ \A i \in DOMAIN r.fx : OrderOf(r.fx[i]) # <<>> => i > 1 /\ r.fx[i - 1] = OrderOf(r.fx[i])
    /\ \A i \in DOMAIN r.fx : r.fx[i][1] \in {"beginEvent", "endEvent", "label"} => i < Len(r.fx) /\ OrderOf(r.fx[i + 1]) = r.fx[i]
(* Each detection is noted once: for the event that is active, or in the list of those that do not count. *)
S11_detectionIsNoted(e, r) ==
    LET notes == {i \in DOMAIN r.fx : r.fx[i][1] \in {"noteDetection", "noteSuppressed"}}
    IN Cardinality(notes) = (IF e[1] = "detected" /\ ~s.stopped THEN 1 ELSE 0)
       /\ \A i \in notes : r.fx[i][1] = "noteSuppressed" => i < Len(r.fx) /\ r.fx[i + 1] = <<"report", "suppressed", r.fx[i][2]>>
(* A source that is on counts, or has been told not to; the last is told once until it goes off. *)
S11_sourceIsTold == (\E k \in DOMAIN s.src : ~s.src[k].told) /\ Settled => Active(s)
S11_sourceIsToldOnce(e, r) == LET n == Cardinality({i \in DOMAIN r.fx : r.fx[i][1] = "report" /\ r.fx[i][2] = "suppressed" /\ ~(i > 1 /\ r.fx[i - 1][1] = "noteSuppressed")})
            told(x) == Cardinality({k \in DOMAIN x.src : x.src[k].told})
    IN n = Max(told(r.s) - told(s), 0) \/ (n = 1 /\ r.s.stopped)
S11_labelIsReported(e, r) == IF HasName(r.fx, "label") THEN r.s.label = Label(r.s) \/ r.s.stopped ELSE r.s.label = s.label
S13_labelIsTrue == Settled /\ ~s.stopped => s.label = Label(s)
S13_idleIsIdle == s.label = "idle" => ~MediaWanted(s)
S13_recordedIsOpen == s.label = "recorded" => s.rec # "idle"
(* A clip that nothing has come for to begin with is no failure of the storage: no clip is there, no wait runs, and the link synchronizes. *)
S13_keyframeMissing(e, r) == e = <<"keyframeMissing", "cur">> /\ ~IsRefusal(r.fx) =>
    /\ r.s.rec = "idle" /\ r.s.rt = None /\ r.s.rfails = s.rfails /\ r.s.fails = s.fails
    /\ r.s.link \in {"synchronizing", "off"} /\ r.s.label \notin {"recorded", "storage"}
S_waitingIsWaited(e, r) == s.link = "waiting" /\ e[1] \notin {"tick", "connect", "drain"} => r.s.link = "waiting" /\ r.s.lt = s.lt
(* A cut is made where it may lose nothing: without a key frame only when nobody wants what comes now, and soon then. *)
Forbidden(x) == x.drain \/ Blocked(x) \/ ~x.en \/ Off(x) \/ x.storage = "lost"
L3_forcedLosesNothing(e, r) == s.rec = "cutting" /\ Has(r.fx, <<"closeClip", "now", s.why>>) => Forbidden(r.s) \/ ~MediaWanted(r.s)
L3_graceEndsTheCut(e, r) == s.rec = "cutting" /\ s.rt = 1 /\ e = <<"tick">> => r.s.rec # "cutting" \/ MediaWanted(r.s)
L3_gracesEnd(e, r) == s.rec = "cutting" /\ s.rt = 1 /\ s.more = MoreGraces /\ e = <<"tick">> => r.s.rec # "cutting"

(* All statements on steps at once, so that each step is computed once; the one that fails is printed by name. *)
Named(name, holds) == holds \/ (PrintT("VIOLATED " \o name) /\ FALSE)
AllSteps == \A e \in Events(s) : LET r == Step(s, e) IN
    /\ Named("S1_eventsAlternate", S1_eventsAlternate(e, r))
    /\ Named("S1_rowsAlternate", S1_rowsAlternate(e, r))
    /\ Named("S1_clipsAlternate", S1_clipsAlternate(e, r))
    /\ Named("S2_openOnlyStreaming", S2_openOnlyStreaming(e, r))
    /\ Named("S2_prerollOnce", S2_prerollOnce(e, r))
    /\ Named("S3_namedEnd", S3_namedEnd(e, r))
    /\ Named("S3_namedCause", S3_namedCause(e, r))
    /\ Named("S3_linkLeavesEvents", S3_linkLeavesEvents(e, r))
    /\ Named("S3_noShortRest", S3_noShortRest(e, r))
    /\ Named("S4_prolonging", S4_prolonging(e, r))
    /\ Named("S5_blind", S5_blind(e, r))
    /\ Named("S5_blindFollows", S5_blindFollows(e, r))
    /\ Named("S5_blindIsWhole", S5_blindIsWhole(e, r))
    /\ Named("S6_orderedClosed", S6_orderedClosed(e, r))
    /\ Named("S9_ignoredChangesNothing", S9_ignoredChangesNothing(e, r))
    /\ Named("S9_lateIsIgnored", S9_lateIsIgnored(e, r))
    /\ Named("S10_closeBeforeOpen", S10_closeBeforeOpen(e, r))
    /\ Named("S10_closeBeforeHangUp", S10_closeBeforeHangUp(e, r))
    /\ Named("S10_eventBeforeClip", S10_eventBeforeClip(e, r))
    /\ Named("L1_endpoint", L1_endpoint(e, r))
    /\ Named("L1_turn", L1_turn(e, r))
    /\ Named("S11_ordersAreTold", S11_ordersAreTold(e, r))
    /\ Named("S11_detectionIsNoted", S11_detectionIsNoted(e, r))
    /\ Named("S11_sourceIsToldOnce", S11_sourceIsToldOnce(e, r))
    /\ Named("S11_labelIsReported", S11_labelIsReported(e, r))
    /\ Named("S13_keyframeMissing", S13_keyframeMissing(e, r))
    /\ Named("S_waitingIsWaited", S_waitingIsWaited(e, r))
    /\ Named("L3_forcedLosesNothing", L3_forcedLosesNothing(e, r))
    /\ Named("L3_graceEndsTheCut", L3_graceEndsTheCut(e, r))
    /\ Named("L3_gracesEnd", L3_gracesEnd(e, r))


Recording == s.rec = "writing"
L1_recording == TimePasses => [](calm \in {"benign", "nokey"} /\ RecordingWanted(s) /\ P(s).mode = "continuous" => <>Recording)
L2_redial == TimePasses => [](calm = "dead" /\ LinkWanted(s) => <>(s.link = "dialing" \/ ~LinkWanted(s)))
L3_cutEnds == TimePasses => ((s.rec = "cutting" /\ calm # "no") ~> (s.rec # "cutting"))
L3_cutComes == TimePasses => [](calm \in {"benign", "nokey"} /\ Recording => <>~Recording)
(* A cut that no key frame comes for costs the connection only when it has waited as often as it may. *)
L3_linkIsKept == [][calm = "nokey" /\ s.rec = "cutting" /\ s.more < MoreGraces /\ s.link = "streaming" /\ LinkWanted(s) => s'.link = "streaming"]_<<s, clock, calm>>
L4_drainStops == TimePasses => ((calm = "dead" /\ s.drain) ~> s.stopped)
L6_sourceExpires == TimePasses => ((calm = "dead") ~> (s.src = <<>>))
L7_blindEnds == TimePasses => ((calm = "dead") ~> (s.trig \notin {"settling", "blind"} \/ s.src # <<>>))
R_wayToRecording == TimePasses => [](calm = "help" /\ ~s.drain => <>Recording)

SomeStep(Q(_, _)) == \E e \in Events(s) : Q(e, Step(s, e))
Reported(w) == SomeStep(LAMBDA e, r : \E i \in DOMAIN r.fx : r.fx[i][1] = "report" /\ Tail(r.fx[i]) = w)
Failed(why) == SomeStep(LAMBDA e, r : \E i \in DOMAIN r.fx : Len(r.fx[i]) = 5 /\ r.fx[i][2] = "link" /\ r.fx[i][5] = why)
(* Sanity of the fairness: in each world time can go on for ever, so TLC must violate these. *)
T_dead == TimePasses => [](calm # "dead")
T_benign == TimePasses => [](calm # "benign")
T_nokey == TimePasses => [](calm # "nokey")
T_help == TimePasses => [](calm # "help")
(* And a dead world does not record for ever. *)
T_deadRecords == TimePasses => [](calm = "dead" /\ RecordingWanted(s) => <>Recording)

Reach_streaming == s.link # "streaming"
Reach_internet == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"dial", "internet">>))
Reach_hangUpOverdue == ~Reported(<<"hangUpOverdue">>)
Reach_noKeyFrameYet == ~Reported(<<"noKeyFrameYet">>)
Reach_noKeyFrame == ~Failed("noKeyFrame")
Reach_silence == ~Failed("silence")
Reach_timeout == ~Failed("timeout")
Reach_redialAfterHangUp == ~SomeStep(LAMBDA e, r : e = <<"hungUp", "hung">> /\ HasName(r.fx, "dial"))
Reach_failsAlternate == ~(s.fails = FailMax /\ SomeStep(LAMBDA e, r : r.s.fails = FailMax - 1))
Reach_unauthorized == ~(s.link = "waiting" /\ s.lt = Unauthorized)
Reach_connectWhileStreaming == ~(s.link = "streaming" /\ SomeStep(LAMBDA e, r : e = <<"connect">>))
Reach_limit == ~Reported(<<"eventEnded", "limit">>)
Reach_quiet == ~Reported(<<"eventEnded", "quiet">>)
Reach_prolonged == ~Reported(<<"eventProlonged">>)
Reach_prolongedTwice == ~(Active(s) /\ s.win.pv = 0 /\ SomeStep(LAMBDA e, r : e[1] = "detected" /\ Has(r.fx, <<"report", "eventProlonged">>)))
Reach_silentBecomesEvent == ~(s.trig = "silent" /\ SomeStep(LAMBDA e, r : e = <<"enabled", "1">> /\ Has(r.fx, <<"report", "eventBegan">>)))
Reach_blindSuppresses == ~Reported(<<"suppressed", "blind">>)
Reach_sensitivity == ~Reported(<<"suppressed", "sensitivity">>)
Reach_zone == ~Reported(<<"suppressed", "zone">>)
Reach_privacySuppresses == ~Reported(<<"suppressed", "privacy">>)
Reach_commandInBlind == ~(s.trig = "blind" /\ SomeStep(LAMBDA e, r : e = <<"command">> /\ Active(r.s)))
Reach_commandLifts == ~(Active(s) /\ SomeStep(LAMBDA e, r : e = <<"command">> /\ Has(r.fx, <<"report", "eventProlonged">>)))
Reach_commandChains == ~(Active(s) /\ s.win.ch # None /\ SomeStep(LAMBDA e, r : e = <<"tick">> /\ Active(r.s) /\ Has(r.fx, <<"report", "eventEnded", "limit">>)))
Reach_noBlindAfterCommand == ~(Active(s) /\ s.win.cmd /\ SomeStep(LAMBDA e, r : e = <<"tick">> /\ r.s.trig = "quiet"))
Reach_noted == ~SomeStep(LAMBDA e, r : Active(s) /\ Has(r.fx, <<"noteDetection">>))
Reach_notedBlind == ~SomeStep(LAMBDA e, r : s.trig = "blind" /\ Has(r.fx, <<"noteSuppressed", "blind">>))
Reach_enteredThenOpened == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"beginEvent">>) /\ Has(r.fx, <<"openClip", "event", "preroll">>))
Reach_sourceChains == ~SomeStep(LAMBDA e, r : e = <<"tick">> /\ Has(r.fx, <<"report", "eventEnded", "limit">>) /\ Has(r.fx, <<"report", "eventBegan">>))
Reach_sourceBlind == ~(s.trig = "blind" /\ SomeStep(LAMBDA e, r : e = <<"asserted">> /\ Has(r.fx, <<"report", "suppressed", "blind">>)))
Reach_sourceExpires == ~Reported(<<"sourceExpired">>)
Reach_endedByPrivacy == ~Reported(<<"eventEnded", "privacy">>)
Reach_endedByPolicy == ~Reported(<<"eventEnded", "policy">>)
Reach_writing == s.rec # "writing"
Reach_cutting == s.rec # "cutting"
Reach_forced == ~SomeStep(LAMBDA e, r : s.rec = "cutting" /\ e = <<"tick">> /\ Has(r.fx, <<"closeClip", "now", s.why>>))
Reach_goesOn == ~(s.rec = "cutting" /\ s.more > 0)
Reach_dialledForKeyFrame == ~SomeStep(LAMBDA e, r : s.rec = "cutting" /\ e = <<"tick">> /\ s.more = MoreGraces /\ Has(r.fx, <<"closeClip", "now", "linkLost">>))
Reach_twoClosing == Len(s.closing) # 2
Reach_settling == s.trig # "settling"
Reach_settlingThenBlind == ~(s.trig = "settling" /\ SomeStep(LAMBDA e, r : e[1] = "closed" /\ r.s.trig = "blind"))
Reach_secondClipOfEvent == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"openClip", "event", "-">>))
Reach_closeLinkLost == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"closeClip", "now", "linkLost">>))
Reach_closeDisabled == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"closeClip", "now", "disabled">>))
Reach_storageLost == ~SomeStep(LAMBDA e, r : e = <<"storage", "lost">> /\ HasName(r.fx, "closeClip"))
Reach_storageRegained == ~SomeStep(LAMBDA e, r : e = <<"storage", "ok">> /\ HasName(r.fx, "dial"))
Reach_givenUpOpening == ~SomeStep(LAMBDA e, r : e = <<"openFailed", "c1">> /\ ~IsRefusal(r.fx))
Reach_keyframeMissing == ~SomeStep(LAMBDA e, r : e = <<"keyframeMissing", "cur">> /\ ~IsRefusal(r.fx) /\ r.s.link = "synchronizing")
Reach_closeOverdue == ~Reported(<<"closeOverdue">>)
Reach_drainWhileWriting == ~(s.rec = "writing" /\ SomeStep(LAMBDA e, r : e = <<"drain">> /\ HasName(r.fx, "closeClip")))
Reach_stopped == ~s.stopped
=============================================================================
