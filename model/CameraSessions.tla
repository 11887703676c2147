---------------------------- MODULE CameraSessions ----------------------------
(* One camera and two of its sessions as one product, with what passes between them as docs/design/session.md "How the daemon runs   *)
(* it" has it. The machines are those of Camera.tla and Session.tla; what is written here is only the shell between them. Each of    *)
(* its messages takes its time: what the camera tells the sessions waits in `mail`, how many look is told later than they come and   *)
(* go, and an order to record waits for the camera's answer.                                                                         *)
EXTENDS Lib

CONSTANTS Kind,               \* alphabet: "live", "record", "recordLive", "time"
          MailMax,            \* switches are turned only while fewer messages than this wait
          Fault,              \* what is broken on purpose in the shell; "-": nothing
          Answer, Duration, LiveMax,
          StartPolicy, StartStorage, StartEnabled, Connect, Dial, Silence, HangBound, KeyWarn, KeyLong, KeyShift, Steady, WaitCap, FailMax,
          Unauthorized, Stale, OpenBound, CloseBound, Grace, MoreGraces, Rest, ClipLength, RetryCap, CommandI, CommandM, Fixes

VARIABLES p, clock, calm    \* clock, calm: used by the liveness runs only

C == INSTANCE Camera WITH Kind <- "small", Polices <- {StartPolicy}, s <- p.c
S == INSTANCE Session WITH Kind <- "all", s <- p.s[1]

-----------------------------------------------------------------------------
(* c: the camera. live: its switch softLive, which the camera's machine only passes on. s: the sessions. watch: the session has a    *)
(* viewer on the stream. cmd: what became of the order to record: asked, stale (nobody waits for its answer any more), granted,      *)
(* refused. range: what the camera records is protected for the session. stop: the site stops.                                      *)
Ids == {1, 2}
Records == Kind \in {"record", "recordLive"}
Looking(q) == Cardinality({i \in Ids : q.watch[i]})
Private(q) == q.c.hard \/ q.live
(* Why nobody may look: what the streams follow after each of the camera's steps. *)
Hidden(q) == IF q.c.drain \/ q.c.stopped THEN "draining" ELSE IF Private(q) THEN "privacy" ELSE "-"
MayRecord(q) == IF Fault = "privacyOnly" THEN ~C!Blocked(q.c) ELSE C!EventsAllowed(q.c)

(* The result of a step: state and effects; those of a session bear its number. *)
Of(i, fx) == [k \in DOMAIN fx |-> <<Str(i) \o ":" \o fx[k][1]>> \o Tail(fx[k])]

(* After a step of the camera the streams follow: they are hidden or shown, and the sessions are told. *)
Follow(before, q) ==
    LET unrecorded == MayRecord(before) /\ ~MayRecord(q)
        changed == Hidden(before) # Hidden(q)
    IN [q EXCEPT !.mail = @ \o When(unrecorded, <<"unrecorded">>)
                            \o When(changed /\ ~(Fault = "removalUntold" /\ Hidden(q) = "draining"), <<IF Hidden(q) = "-" THEN "shown" ELSE Hidden(q)>>),
                 !.watch = IF changed /\ Hidden(q) # "-" /\ Fault # "hiddenKeepsViewers" THEN [i \in Ids |-> FALSE] ELSE @]
CameraStep(q, e) == LET r == C!Step(q.c, e) IN R(Follow(q, [q EXCEPT !.c = r.s]), r.fx)
LiveStep(q, e) ==
    IF q.c.stopped THEN Ignored(q, "stopped")
    ELSE IF q.live = (e[2] = "1") THEN Ignored(q, "duplicate")
    ELSE R(Follow(q, [q EXCEPT !.live = (e[2] = "1")]), <<<<"report", "privacy", Flag(q.c.hard), Flag(q.c.soft)>>>>)

(* What a session orders is carried out in the same turn; what needs an answer gets it later. *)
Perform(q, i, t) ==
    CASE t[1] = "startPreview" -> [q EXCEPT !.watch[i] = (Hidden(q) = "-")]
      [] t[1] = "stopPreview" -> IF Fault = "viewerStays" THEN q ELSE [q EXCEPT !.watch[i] = FALSE]
      [] t[1] = "report" /\ t[2] = "failed" /\ t[3] = "startPreview" -> [q EXCEPT !.watch[i] = FALSE]
      [] t[1] = "record" \/ t[1] = "recordOn" -> [q EXCEPT !.cmd[i] = "asked"]
      [] t[1] = "report" /\ t[2] = "record" -> [q EXCEPT !.range[i] = TRUE]
      [] t[1] = "recordOff" -> [q EXCEPT !.range[i] = FALSE]
      [] t[1] = "abandon" -> [q EXCEPT !.cmd[i] = IF @ \in {"asked", "stale"} THEN "stale" ELSE "-"]
      [] OTHER -> q
RECURSIVE Performed(_, _, _)
Performed(q, i, fx) == IF fx = <<>> THEN q ELSE Performed(Perform(q, i, fx[1]), i, Tail(fx))
SessionStep(q, i, e) == LET r == S!Step(q.s[i], e) IN R(Performed([q EXCEPT !.s[i] = r.s], i, r.fx), Of(i, r.fx))

(* The sessions take what the camera told them, all in one turn. *)
Told(q, i, m) ==
    LET x == q.s[i]
    IN IF S!Ended(x) THEN R(q, <<>>)
       ELSE CASE m = "unrecorded" -> IF x.rec \/ x.ask = "record" THEN SessionStep(q, i, <<"record", "off">>) ELSE R(q, <<>>)
              [] m = "draining" -> IF x.up \/ x.ask # "-" THEN SessionStep(q, i, <<"connectionLost">>) ELSE R(q, <<>>)
              [] m \in {"privacy", "shown"} ->
                   IF x.priv # (m = "privacy") THEN SessionStep(q, i, <<"privacy", Flag(m = "privacy")>>) ELSE R(q, <<>>)
Mail(q) == LET m == Head(q.mail)
               r == Told([q EXCEPT !.mail = Tail(@)], 1, m)
           IN Then(r, LAMBDA y : Told(y, 2, m))

(* The camera takes an order to record and answers it; the session takes the answer, unless it gave the order up. *)
Commanded(q, i) ==
    LET r == CameraStep(q, <<"command">>)
        answer == IF q.cmd[i] = "stale" THEN "-" ELSE IF HasName(r.fx, "refused") \/ Has(r.fx, <<"ignored", "stopped">>) THEN "refused" ELSE "granted"
    IN R([r.s EXCEPT !.cmd[i] = answer], r.fx)
Answered(q, i) ==
    LET how == IF q.cmd[i] = "granted" THEN <<"did", "cur">> ELSE <<"failed", "cur", "x">>
    IN SessionStep([q EXCEPT !.cmd[i] = "-"], i, how)
(* While a range is protected the camera is ordered again and again to record on; what it refuses ends. *)
Again(q, i) ==
    IF ~q.range[i] \/ Fault = "onceOnly" THEN R(q, <<>>)
    ELSE LET r == CameraStep(q, <<"command">>)
         IN IF HasName(r.fx, "refused") \/ Has(r.fx, <<"ignored", "stopped">>) THEN Then(r, LAMBDA y : SessionStep(y, i, <<"record", "off">>)) ELSE r
Tick(q) ==
    LET a == CameraStep(q, <<"tick">>)
        b == Then(a, LAMBDA y : SessionStep(y, 1, <<"tick">>))
        d == Then(b, LAMBDA y : SessionStep(y, 2, <<"tick">>))
        e == Then(d, LAMBDA y : Again(y, 1))
    IN Then(e, LAMBDA y : Again(y, 2))
(* The site stops: every session is ended, and none is opened any more; the cameras drain after that. *)
Stop(q) ==
    IF Fault = "stopEndsNobody" THEN R([q EXCEPT !.stop = TRUE], <<>>)
    ELSE LET a == SessionStep([q EXCEPT !.stop = TRUE], 1, <<"drain">>) IN Then(a, LAMBDA y : SessionStep(y, 2, <<"drain">>))

(* A request comes with what only the shell knows: how many others are live. *)
Others(q, i) == IF Fault = "othersUncounted" THEN 0 ELSE Cardinality({j \in Ids \ {i} : S!Live(q.s[j])})
Connected(x) == [x EXCEPT !.up = Kind # "time"]
Playing(x, i) == IF Kind = "record" \/ (Kind = "recordLive" /\ i = 2) THEN [x EXCEPT !.day = "1", !.phase = "playing", !.speed = "1", !.left = None] ELSE x
Opened(q, i) == Playing(Connected([S!Fresh EXCEPT !.priv = Hidden(q) = "privacy"]), i)

-----------------------------------------------------------------------------
(* Events: the camera's and the shell's bear their names, those of a session its number and their names. *)
Mine(i, e) == <<Str(i) \o ":" \o e[1]>> \o Tail(e)
CameraFacts(q) ==
    LET x == q.c
        switches == Len(q.mail) < MailMax
        b(n) == {<<n, "0">>, <<n, "1">>}
    IN (IF x.link = "dialing" THEN {<<"dialed", "cur">>} ELSE {})
       \cup (IF x.link = "synchronizing" THEN {<<"keyframe", "cur">>} ELSE {})
       \cup (IF x.link = "streaming" /\ ~Records THEN {<<"lost", "cur">>} ELSE {})
       \cup (IF x.hang # None THEN {<<"hungUp", "hung">>} ELSE {})
       \cup (IF x.rec = "opening" THEN {<<"opened", "cur", "0">>} ELSE {})
       \cup (IF x.rec = "cutting" THEN {<<"cut", "cur">>} ELSE {})
       \cup (IF x.closing # <<>> THEN {<<"closed", "c1", "complete">>} ELSE {})
       \cup (IF switches THEN b("enabled") \cup (IF Records THEN b("soft") ELSE IF Kind = "live" THEN b("live") ELSE b("hard")) ELSE {})
       \cup (IF q.c.viewers # Looking(q) /\ ~x.stopped THEN {<<"viewers", Str(Looking(q))>>} ELSE {})
       \cup (IF q.stop \/ Kind # "time" THEN {<<"drain">>} ELSE {})
Requests(q, i) ==
    CASE Kind = "live" -> {<<"startPreview", "hd", Str(Others(q, i))>>, <<"stopPreview">>}
      [] Kind = "time" -> {<<"connect">>, <<"startPreview", "hd", Str(Others(q, i))>>, <<"extend">>}
      [] Records ->
           {<<"record", "on">>, <<"record", "off">>} \cup
           (IF i = 1 /\ Kind = "recordLive" THEN {<<"startPreview", "hd", Str(Others(q, i))>>, <<"stopPreview">>} ELSE {})
(* The answers that the shell gives: a picture comes from a link that streams, to who has a viewer; a connection is one to a camera  *)
(* that is configured. *)
Answers(q, i) ==
    LET x == q.s[i]
        both == {<<"did", "cur">>, <<"failed", "cur", "x">>}
    IN CASE x.ask \in {"-", "record"} -> {}
         [] x.ask = "connect" -> IF q.c.drain THEN {<<"failed", "cur", "x">>} ELSE {<<"did", "cur">>}
         [] x.ask = "startPreview" -> (IF q.watch[i] /\ q.c.link = "streaming" THEN {<<"did", "cur">>} ELSE {})
                                      \cup (IF ~q.watch[i] THEN {<<"failed", "cur", "x">>} ELSE {})
         [] OTHER -> both
Sent(q, i) ==
    (IF q.cmd[i] \in {"asked", "stale"} THEN {<<"commanded">>} ELSE {}) \cup (IF q.cmd[i] \in {"granted", "refused"} THEN {<<"answered">>} ELSE {})
(* Whoever has taken the picture may leave and come back; the session stays. An ended session makes room for another. *)
Comings(q, i) ==
    (IF q.s[i].phase = "previewing" /\ q.watch[i] THEN {<<"leaves">>} ELSE {})
    \cup (IF q.s[i].phase = "previewing" /\ ~q.watch[i] /\ Hidden(q) = "-" THEN {<<"returns">>} ELSE {})
    \cup (IF S!Ended(q.s[i]) /\ ~q.stop /\ ~q.c.drain /\ Kind # "time" THEN {<<"opens">>} ELSE {})
    \cup (IF q.s[i].phase = "playing" THEN {<<"clipEnded", "cur", "end">>} ELSE {})
SessionFacts(q, i) == {Mine(i, e) : e \in Requests(q, i) \cup Answers(q, i) \cup Sent(q, i) \cup Comings(q, i)}
Shell(q) == (IF q.mail # <<>> THEN {<<"mail">>} ELSE {}) \cup (IF q.stop \/ Records THEN {} ELSE {<<"stop">>})
Events(q) == {<<"tick">>} \cup CameraFacts(q) \cup SessionFacts(q, 1) \cup SessionFacts(q, 2) \cup Shell(q)

(* The number and the event without it, for the events of a session. *)
Bare == [n \in {"connect", "startPreview", "stopPreview", "close", "extend", "record", "startPlayback", "stopPlayback", "did", "failed", "clipEnded",
                "commanded", "answered", "leaves", "returns", "opens"} \X Ids |-> Str(n[2]) \o ":" \o n[1]]
IsMine(e) == \E k \in DOMAIN Bare : Bare[k] = e[1]
OfSession(q, i, e) ==
    CASE e[1] = "commanded" -> Commanded(q, i)
      [] e[1] = "answered" -> Answered(q, i)
      [] e[1] = "leaves" -> R([q EXCEPT !.watch[i] = FALSE], <<>>)
      [] e[1] = "returns" -> R([q EXCEPT !.watch[i] = TRUE], <<>>)
      [] e[1] = "opens" -> R([q EXCEPT !.s[i] = Opened(q, i), !.cmd[i] = "-"], <<>>)
      [] OTHER -> SessionStep(q, i, e)
Step(q, e) ==
    CASE e[1] = "tick" -> Tick(q)
      [] e[1] = "mail" -> Mail(q)
      [] e[1] = "stop" -> Stop(q)
      [] e[1] = "live" -> LiveStep(q, e)
      [] IsMine(e) -> LET k == CHOOSE k \in DOMAIN Bare : Bare[k] = e[1] IN OfSession(q, k[2], <<k[1]>> \o Tail(e))
      [] OTHER -> CameraStep(q, e)

Bits(f) == Flag(f[1]) \o Flag(f[2])
Text(q) == C!Text(q.c) \o " & " \o S!Text(q.s[1]) \o " & " \o S!Text(q.s[2]) \o " & shell" \o Field("live", Flag(q.live), "0")
    \o Field("watch", Bits(q.watch), "00") \o Field("cmd", q.cmd[1] \o "/" \o q.cmd[2], "-/-") \o Field("range", Bits(q.range), "00")
    \o Field("stop", Flag(q.stop), "0") \o Field("mail", IF q.mail = <<>> THEN "-" ELSE JoinBy(q.mail, "+"), "-")

-----------------------------------------------------------------------------
(* The camera has taken its first step. Where connections are not in question both are connected; where viewers record both play, or   *)
(* only the second.                                                                                                                  *)
First == LET q == [c |-> C!Step(C!Start, <<"tick">>).s, live |-> FALSE, s |-> <<S!Fresh, S!Fresh>>, mail |-> <<>>, watch |-> <<FALSE, FALSE>>,
                   cmd |-> <<"-", "-">>, range |-> <<FALSE, FALSE>>, stop |-> FALSE]
         IN [q EXCEPT !.s = <<Opened(q, 1), Opened(q, 2)>>]
Init == p = First /\ clock = 0 /\ calm = "no"
Next == \E e \in Events(p) : p' = Step(p, e).s /\ UNCHANGED <<clock, calm>>
NextPrint == \E e \in Events(p) :
    LET r == Step(p, e) IN p' = r.s /\ UNCHANGED <<clock, calm>> /\ PrintT(EdgeText(Text(p), e, Text(r.s), r.fx))

-----------------------------------------------------------------------------
(* Properties. They were written from rules.md and from the requests and facts of session.md.                                        *)
Idle(q) == q.mail = <<>>   \* the sessions know what the camera has told them
ForSteps(Q(_, _)) == \A e \in Events(p) : Q(e, Step(p, e))
TypeOK == /\ Len(p.mail) <= MailMax + 3 /\ p.c.viewers \in 0..2
          /\ \A i \in Ids : (p.cmd[i] \in {"asked", "granted", "refused"}) = (p.s[i].ask = "record")
(* Nobody looks who may not, from the very step on. *)
S7_hiddenIsUnseen == Hidden(p) # "-" => Looking(p) = 0
(* Nothing live, heard or recorded outlives the word of the camera. *)
S7_nothingLiveInPrivacy == Idle(p) /\ Private(p) => \A i \in Ids : ~S!Live(p.s[i])
S7_sessionsKnow == Idle(p) /\ Hidden(p) # "draining" => \A i \in Ids : S!Ended(p.s[i]) \/ p.s[i].priv = Private(p)
S7_nothingRecordedInPrivacy == Idle(p) /\ C!Blocked(p.c) => \A i \in Ids : ~p.s[i].rec /\ ~p.range[i]
(* What a viewer is told to be recorded, the camera records for a command, until its word that it may not any more. *)
S6_recordedIsWanted == \A i \in Ids : p.s[i].rec => (C!Active(p.c) /\ p.c.win.cmd) \/ "unrecorded" \in {p.mail[k] : k \in DOMAIN p.mail}
S8_rangeIsTold == \A i \in Ids : p.range[i] = p.s[i].rec
(* An order to record while a clip is open leaves that clip open, and opens no other. *)
S1_noSecondFile == ForSteps(LAMBDA e, r :
    (\E i \in Ids : e = Mine(i, <<"commanded">>)) /\ p.c.rec # "idle" => r.s.c.rec = p.c.rec /\ ~HasName(r.fx, "openClip") /\ ~HasName(r.fx, "closeClip"))
S_atMostLiveMax == Cardinality({i \in Ids : S!Live(p.s[i])}) <= LiveMax
S_lookingIsLive == \A i \in Ids : p.watch[i] => S!Live(p.s[i])
(* On demand the camera is held by who looks or records, and by nobody else. *)
S_heldByViewers == p.c.viewers = Looking(p) /\ C!Linked(p.c) => Looking(p) > 0 \/ C!MediaWanted(p.c) \/ p.c.rec # "idle"
(* The camera counts who looks. *)
S_viewersAreCounted == ForSteps(LAMBDA e, r : e[1] = "viewers" => r.s.c.viewers = Looking(p))
S_viewersHold == p.c.viewers > 0 /\ ~p.c.hard /\ ~p.c.drain => p.c.link # "off" \/ p.c.hang # None
(* A stop ends the sessions before the camera; a camera that goes away takes its connections along. *)
S_stopEndsSessions == p.stop => \A i \in Ids : S!Ended(p.s[i])
S_goneIsLeft == Idle(p) /\ p.c.drain => \A i \in Ids : ~p.s[i].up /\ ~p.watch[i] /\ ~p.range[i]
(* The toggle ends no live picture and no playback; nor does a lost link. *)
S_toggleLeavesPictures == ForSteps(LAMBDA e, r : e[1] \in {"enabled", "lost"} =>
    /\ r.s.s = p.s /\ r.s.watch = p.watch
    /\ (e[1] = "enabled" /\ p.c.viewers > 0 => r.s.c.link = p.c.link))
(* What is played goes on, whatever the camera says but that it goes away. *)
S7_playbackGoesOn == ForSteps(LAMBDA e, r : e = <<"mail">> /\ Head(p.mail) # "draining" =>
    \A i \in Ids : S!Playback(p.s[i]) => r.s.s[i].phase = p.s[i].phase /\ r.s.s[i].up /\ r.s.s[i].speed = p.s[i].speed)
(* Who looks touches the link and nothing else; who leaves, nothing of the other. *)
S_viewersTouchTheLink == ForSteps(LAMBDA e, r : e[1] = "viewers" =>
    r.s.c.trig = p.c.trig /\ r.s.c.win = p.c.win /\ r.s.c.rec = p.c.rec /\ r.s.c.ring = p.c.ring /\ r.s.s = p.s)
S_sessionsAreAlone == ForSteps(LAMBDA e, r :
    \A i \in Ids : (\E j \in Ids : j # i /\ IsMine(e) /\ e \in SessionFacts(p, j)) =>
        r.s.s[i] = p.s[i] /\ r.s.watch[i] = p.watch[i] /\ r.s.range[i] = p.range[i])

-----------------------------------------------------------------------------
(* Liveness: any history, then no more requests; what is owed between the machines arrives before time passes. *)
Owed(q) == (IF q.mail # <<>> THEN {<<"mail">>} ELSE {}) \cup {e \in CameraFacts(q) : e[1] \in {"viewers", "hungUp"}}
           \cup UNION {{Mine(i, e) : e \in Sent(q, i)} : i \in Ids}
CalmEvents(q) == IF Owed(q) # {} THEN Owed(q)
                 ELSE {<<"tick">>} \cup {e \in CameraFacts(q) : e[1] \in {"dialed", "keyframe"}} \cup UNION {{Mine(i, e) : e \in Answers(q, i)} : i \in Ids}
NextTimed == \/ \E e \in (IF calm = "yes" THEN CalmEvents(p) ELSE Events(p)) :
                   p' = Step(p, e).s /\ clock' = (IF e = <<"tick">> /\ calm = "yes" THEN 1 - clock ELSE clock) /\ UNCHANGED calm
             \/ calm = "no" /\ calm' = "yes" /\ UNCHANGED <<p, clock>>
TimePasses == []<>(clock = 0) /\ []<>(clock = 1)
L9_sessionsEnd == TimePasses => ((calm = "yes") ~> (\A i \in Ids : S!Ended(p.s[i])))
L9_cameraIsLetGo == TimePasses => ((calm = "yes") ~> (p.c.stopped \/ (p.c.viewers = 0 /\ ~C!Linked(p.c))))
T_calm == TimePasses => [](calm = "no")

SomeStep(Q(_, _)) == \E e \in Events(p) : Q(e, Step(p, e))
Reach_bothLive == ~\A i \in Ids : p.s[i].phase = "previewing"
Reach_full == ~SomeStep(LAMBDA e, r : \E i \in Ids : Has(r.fx, <<Str(i) \o ":refused", "startPreview", "full">>))
Reach_liveWhileDisabled == ~(~p.c.en /\ p.c.link = "streaming" /\ \E i \in Ids : p.s[i].phase = "previewing")
Reach_linkLostWhileLive == ~(\E i \in Ids : p.s[i].phase = "previewing" /\ p.c.link = "waiting")
Reach_startMeetsPrivacy == ~(\E i \in Ids : p.s[i].phase = "startingPreview" /\ ~p.watch[i])
Reach_openedUnderPrivacy == ~(\E i \in Ids : Idle(p) /\ p.s[i].priv /\ p.s[i].phase = "idle" /\ p.s[3 - i].phase = "ended" /\ p.s[3 - i].why = "privacy")
Reach_lastViewerLeaves == ~SomeStep(LAMBDA e, r : e = <<"viewers", "0">> /\ HasName(r.fx, "hangUp"))
Reach_otherViewerHolds == ~SomeStep(LAMBDA e, r : e = <<"viewers", "1">> /\ p.c.viewers = 2 /\ r.s.c.link = "streaming")
Reach_pictureLeft == ~(\E i \in Ids : p.s[i].phase = "previewing" /\ ~p.watch[i] /\ Idle(p) /\ p.c.link = "off")
Reach_removedWhileLive == ~(p.c.drain /\ ~p.stop /\ \E i \in Ids : S!Live(p.s[i]))
Reach_stopWhileLive == ~(\E i \in Ids : p.s[i].phase = "previewing" /\ SomeStep(LAMBDA e, r : e = <<"stop">> /\ S!Ended(r.s.s[i])))
Reach_stoppedCamera == ~p.c.stopped
Reach_bothRecord == ~(p.range[1] /\ p.range[2])
Reach_recordDials == ~SomeStep(LAMBDA e, r : e = <<"2:commanded">> /\ HasName(r.fx, "dial"))
Reach_recordJoinsClip == ~SomeStep(LAMBDA e, r : e = <<"2:commanded">> /\ p.c.rec = "writing" /\ p.range[1])
Reach_recordEndsByToggle == ~(~p.c.en /\ SomeStep(LAMBDA e, r : e = <<"mail">> /\ Has(r.fx, <<"1:recordOff">>) /\ r.s.s[1].phase = "playing"))
Reach_recordEndsByPrivacy == ~(p.c.soft /\ SomeStep(LAMBDA e, r : e = <<"mail">> /\ Has(r.fx, <<"2:recordOff">>) /\ r.s.s[2].phase = "playing"))
Reach_recordRefused == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"1:report", "failed", "record", "x">>))
Reach_recordGivenUp == "stale" \notin {p.cmd[i] : i \in Ids}
Reach_answerTooLate == ~SomeStep(LAMBDA e, r : e = <<"tick">> /\ p.cmd[1] = "granted" /\ Has(r.fx, <<"1:report", "failed", "record", "timeout">>))
Reach_removedWhileRecording == ~(p.c.drain /\ p.range[2])
Reach_expired == ~(\E i \in Ids : p.s[i].why = "expired")
=============================================================================
