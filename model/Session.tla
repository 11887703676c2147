------------------------------ MODULE Session ------------------------------
(* One viewer of one camera, from docs/design/session.md.                   *)
EXTENDS Lib

CONSTANTS Answer,     \* ticks the world may take to answer a request
          Duration,   \* ticks a session lasts unless extended
          LiveMax,    \* live sessions a camera may have
          Kind        \* alphabet: "all", "preview", "playback", "noExtend"

VARIABLES s, clock, calm  \* clock, calm: used by the liveness runs only

-----------------------------------------------------------------------------
(* The state. ask, arg: the request whose answer is outstanding, and its argument; bound: until when; left: until the session       *)
(* expires.                                                                                                                       *)
Fresh == [phase |-> "idle", why |-> "-", up |-> FALSE, day |-> "-", ask |-> "-", arg |-> "-", bound |-> None, left |-> Duration,
          def |-> "-", sound |-> FALSE, talk |-> FALSE, rec |-> FALSE, speed |-> "-", over |-> FALSE, priv |-> FALSE]

Live(x) == x.phase \in {"startingPreview", "previewing"}
Playback(x) == x.phase \in {"startingPlayback", "playing", "paused"}
Ended(x) == x.phase = "ended"
Shown(x) == x.phase \in {"previewing", "playing", "paused"}
Limited == {"idle", "previewing", "paused"}
StepOf(ask) == IF ask = "unmute" THEN "mute" ELSE ask

Refused(x, step, why) == R(x, <<<<"refused", step, why>>>>)

(* What a phase that is left gives back, in this order. *)
Leaving(x) == When(x.ask # "-", <<<<"abandon">>>>) \o When(x.rec, <<<<"recordOff">>>>) \o When(x.talk, <<<<"talkOff">>>>)
              \o When(x.sound, <<<<"mute">>>>) \o When(Live(x), <<<<"stopPreview">>>>) \o When(Playback(x), <<<<"stopPlayback">>>>)
Answered(x) == [x EXCEPT !.ask = "-", !.arg = "-", !.bound = None]
Bare(x) == [Answered(x) EXCEPT !.rec = FALSE, !.talk = FALSE, !.sound = FALSE, !.def = "-", !.speed = "-", !.over = FALSE]
Idle(x) == [Bare(x) EXCEPT !.phase = "idle", !.left = Duration]
End(x, why) ==
    R([Bare(x) EXCEPT !.phase = "ended", !.why = why, !.up = FALSE, !.day = "-", !.left = None],
      Leaving(x) \o When(x.up \/ x.ask = "connect", <<<<"disconnect">>>>) \o <<<<"report", "ended", why>>>>)

(* A request that the world must answer. Accepting one renews the time of an idle or paused session. *)
AskFor(x, what, arg, order) ==
    R([x EXCEPT !.ask = what, !.arg = arg, !.bound = Answer, !.left = IF x.phase \in {"idle", "paused"} THEN Duration ELSE @], <<order>>)

Ask(x, what, order) == AskFor(x, what, "-", order)

(* What belongs to a clip, when another one is started or no more follows. *)
OfClip(x) == When(x.ask # "-", <<<<"abandon">>>>) \o When(x.rec, <<<<"recordOff">>>>) \o When(x.sound, <<<<"mute">>>>)

(* Failure of the outstanding request. *)
Fail(x, why) ==
    LET step == StepOf(x.ask)
        y == Answered(x)
    IN R(IF step \in {"startPreview", "startPlayback"} THEN Idle(y) ELSE y, <<<<"report", "failed", step, why>>>>)

Done(x) ==
    LET y == Answered(x)
    IN CASE x.ask = "connect" -> R([y EXCEPT !.up = TRUE, !.day = "-"], <<<<"report", "connected">>>>)
         [] x.ask = "startPreview" -> R([y EXCEPT !.phase = "previewing", !.left = Duration], <<<<"report", "previewing", x.def>>>>)
         [] x.ask = "startPlayback" -> R([y EXCEPT !.phase = "playing"], <<<<"report", "playing">>>>)
         [] x.ask = "pause" -> R([y EXCEPT !.phase = "paused", !.left = Duration], <<<<"report", "paused">>>>)
         [] x.ask = "resume" -> R([y EXCEPT !.phase = "playing", !.left = None], <<<<"report", "playing">>>>)
         [] x.ask = "definition" -> R([y EXCEPT !.def = x.arg], <<<<"report", "definition", x.arg>>>>)
         [] x.ask = "unmute" -> R([y EXCEPT !.sound = TRUE], <<<<"report", "sound", "on">>>>)
         [] x.ask = "talk" -> R([y EXCEPT !.talk = TRUE], <<<<"report", "talk", "on">>>>)
         [] x.ask = "record" -> R([y EXCEPT !.rec = TRUE], <<<<"report", "record", "on">>>>)
         [] x.ask = "listDays" -> R(y, <<<<"report", "days">>>>)
         [] x.ask = "listClips" -> R([y EXCEPT !.day = x.arg], <<<<"report", "clips", x.arg>>>>)

(* Deadlines: the answer's bound before the session's end. *)
DueAnswer(x) == IF x.bound # 0 THEN R(x, <<>>) ELSE LET q == Fail(x, "timeout") IN R(q.s, <<<<"abandon">>>> \o q.fx)
DueEnd(x) == IF x.left # 0 THEN R(x, <<>>) ELSE End(x, "expired")
Later(x, n) == [x EXCEPT !.bound = DownBy(@, n), !.left = DownBy(@, n)]
Due(x) == Then(DueAnswer(x), DueEnd)
Tick(x) == Due(Later(x, 1))

(* Turning something off is done at once; it also calls off an unanswered turning on. *)
Off(x, field, ask, order) ==
    IF x.ask = ask THEN R(Answered(x), <<<<"abandon">>, order>>)
    ELSE IF (CASE field = "sound" -> x.sound [] field = "talk" -> x.talk [] field = "rec" -> x.rec)
    THEN R(CASE field = "sound" -> [x EXCEPT !.sound = FALSE] [] field = "talk" -> [x EXCEPT !.talk = FALSE]
             [] field = "rec" -> [x EXCEPT !.rec = FALSE], <<order>>)
    ELSE Ignored(x, "duplicate")

Requests == {"connect", "startPreview", "startPlayback", "pause", "resume", "speed", "definition", "mute", "talk", "record",
             "listDays", "listClips", "stopPreview", "stopPlayback", "extend"}

Request(x, e) ==
    LET n == e[1]
        busy == x.ask # "-"
    IN
    CASE n = "connect" -> IF x.up \/ x.ask = "connect" THEN Refused(x, n, "already") ELSE Ask(x, "connect", <<"connect">>)
      [] n = "extend" -> IF x.left = None THEN Ignored(x, "notLimited") ELSE R([x EXCEPT !.left = Duration], <<<<"report", "extended">>>>)
      [] n \notin {"connect", "extend"} /\ ~x.up -> Refused(x, n, "notConnected")
      [] x.up /\ n = "startPreview" ->
           IF Live(x) THEN Refused(x, n, "already")
           ELSE IF Playback(x) THEN Refused(x, n, "playbackRunning")
           ELSE IF x.priv THEN Refused(x, n, "privacy")
           ELSE IF NumberOf[e[3]] >= LiveMax THEN Refused(x, n, "full")
           ELSE IF busy THEN Refused(x, n, "busy")
           ELSE Ask([x EXCEPT !.phase = "startingPreview", !.def = e[2], !.day = "-", !.left = None], "startPreview", <<"startPreview", e[2]>>)
      [] x.up /\ n = "startPlayback" ->
           IF Live(x) THEN Refused(x, n, "previewRunning")
           ELSE IF x.day # e[2] THEN Refused(x, n, "notListed")
           ELSE IF e[3] = "outside" THEN Refused(x, n, "outside")
           ELSE IF busy /\ x.ask \notin {"startPlayback", "pause", "resume"} THEN Refused(x, n, "busy")
           ELSE LET q == Ask([Bare(x) EXCEPT !.phase = "startingPlayback", !.speed = "1", !.over = e[3] = "over", !.left = None],
                             "startPlayback", <<"startPlayback", e[2]>>)
                IN R(q.s, OfClip(x) \o q.fx)
      [] x.up /\ n = "pause" -> IF x.phase # "playing" THEN Refused(x, n, "notPlaying")
           ELSE IF busy THEN Refused(x, n, "busy") ELSE Ask(x, "pause", <<"pause">>)
      [] x.up /\ n = "resume" -> IF x.phase # "paused" THEN Refused(x, n, "notPaused")
           ELSE IF busy THEN Refused(x, n, "busy") ELSE Ask(x, "resume", <<"resume">>)
      [] x.up /\ n = "speed" -> IF x.phase \notin {"playing", "paused"} THEN Refused(x, n, "notPlaying")
           ELSE IF e[2] = "outside" THEN Refused(x, n, "outside")
           ELSE IF e[2] = x.speed THEN Ignored(x, "duplicate")
           ELSE R([x EXCEPT !.speed = e[2]], <<<<"setSpeed", e[2]>>>>)
      [] x.up /\ n = "definition" -> IF x.phase # "previewing" THEN Refused(x, n, "notPreviewing")
           ELSE IF e[2] = x.def THEN Ignored(x, "duplicate")
           ELSE IF busy THEN Refused(x, n, "busy") ELSE AskFor(x, "definition", e[2], <<"setDefinition", e[2]>>)
      [] x.up /\ n = "mute" /\ e[2] = "on" -> Off(x, "sound", "unmute", <<"mute">>)
      [] x.up /\ n = "mute" /\ e[2] = "off" -> IF ~Shown(x) THEN Refused(x, n, "notShowing")
           ELSE IF x.sound THEN Ignored(x, "duplicate")
           ELSE IF busy THEN Refused(x, n, "busy") ELSE Ask(x, "unmute", <<"unmute">>)
      [] x.up /\ n = "talk" /\ e[2] = "off" -> Off(x, "talk", "talk", <<"talkOff">>)
      [] x.up /\ n = "talk" /\ e[2] = "on" -> IF x.phase # "previewing" THEN Refused(x, n, "notPreviewing")
           ELSE IF x.talk THEN Ignored(x, "duplicate")
           ELSE IF busy THEN Refused(x, n, "busy") ELSE Ask(x, "talk", <<"talkOn">>)
      [] x.up /\ n = "record" /\ e[2] = "off" -> Off(x, "rec", "record", <<"recordOff">>)
      [] x.up /\ n = "record" /\ e[2] = "on" -> IF x.phase \notin {"previewing", "playing"} THEN Refused(x, n, "notShowing")
           ELSE IF x.rec THEN Ignored(x, "duplicate")
           ELSE IF busy THEN Refused(x, n, "busy") ELSE Ask(x, "record", <<"recordOn">>)
      [] x.up /\ n = "listDays" -> IF busy THEN Refused(x, n, "busy") ELSE Ask(x, "listDays", <<"listDays">>)
      [] x.up /\ n = "listClips" -> IF Live(x) THEN Refused(x, n, "previewRunning")
           ELSE IF busy THEN Refused(x, n, "busy") ELSE AskFor(x, "listClips", e[2], <<"listClips", e[2]>>)
      [] x.up /\ n = "stopPreview" -> IF Live(x) THEN R(Idle(x), Leaving(x) \o <<<<"report", "stopped">>>>) ELSE Refused(x, n, "notPreviewing")
      [] x.up /\ n = "stopPlayback" -> IF Playback(x) THEN R(Idle(x), Leaving(x) \o <<<<"report", "stopped">>>>) ELSE Refused(x, n, "notPlaying")

Fact(x, e) ==
    CASE e[1] \in {"did", "failed"} -> IF e[2] # "cur" THEN Ignored(x, e[2]) ELSE IF e[1] = "did" THEN Done(x) ELSE Fail(x, e[3])
      [] e[1] = "clipEnded" ->
           IF e[2] # "cur" THEN Ignored(x, e[2])
           ELSE IF e[3] = "follows" \/ (e[3] = "hole" /\ x.over) THEN R(x, <<<<"playOn">>>>)
           ELSE R(Idle(x), OfClip(x) \o <<<<"report", "finished", e[3]>>>>)
      [] e[1] = "connectionLost" ->
           IF x.up THEN R([Idle(x) EXCEPT !.up = FALSE, !.day = "-", !.left = IF x.phase = "idle" THEN x.left ELSE Duration],
                          Leaving(x) \o <<<<"report", "lost">>>>)
           ELSE IF x.ask = "connect" THEN Fail(x, "lost") ELSE Ignored(x, "notConnected")
      [] e[1] = "privacy" ->
           LET on == e[2] = "1"
           IN IF x.priv = on THEN Ignored(x, "duplicate")
              ELSE IF on /\ Live(x) THEN End([x EXCEPT !.priv = on], "privacy") ELSE R([x EXCEPT !.priv = on], <<>>)
      [] e[1] = "close" -> End(x, "closed")
      [] e[1] = "drain" -> End(x, "draining")

Step(x, e) ==
    CASE e[1] = "tick" -> Tick(x)
      [] e[1] # "tick" /\ Ended(x) -> IF e[1] \in Requests THEN Refused(x, e[1], "ended") ELSE Ignored(x, "ended")
      [] e[1] # "tick" /\ ~Ended(x) -> IF e[1] \in Requests THEN Request(x, e) ELSE Fact(x, e)

-----------------------------------------------------------------------------
(* Alphabets. *)
CurClip(x) == x.phase \in {"playing", "paused"}
Common == {<<"tick">>, <<"connect">>, <<"connectionLost">>, <<"close">>, <<"drain">>, <<"did", "late">>, <<"did", "unknown">>,
           <<"failed", "late", "x">>, <<"failed", "unknown", "x">>, <<"record", "on">>, <<"record", "off">>}
ForPreview == {<<"startPreview", d, n>> : d \in {"hd", "sd"}, n \in {Str(LiveMax - 1)}} \cup {<<"startPreview", "hd", Str(LiveMax)>>}
    \cup {<<"definition", "hd">>, <<"definition", "sd">>, <<"mute", "on">>, <<"mute", "off">>, <<"talk", "on">>, <<"talk", "off">>,
          <<"stopPreview">>, <<"privacy", "1">>, <<"privacy", "0">>}
Days == IF Kind = "playback" THEN {"1"} ELSE {"1", "2"}
ForPlayback == {<<"startPlayback", d, "in">> : d \in Days} \cup {<<"startPlayback", "1", "outside">>, <<"startPlayback", "1", "over">>}
    \cup {<<"pause">>, <<"resume">>, <<"speed", "1">>, <<"speed", "2">>, <<"speed", "outside">>, <<"listDays">>,
          <<"stopPlayback">>, <<"clipEnded", "late", "end">>, <<"clipEnded", "unknown", "end">>}
    \cup {<<"listClips", d>> : d \in Days}
Answers(x) == (IF x.ask = "-" THEN {} ELSE {<<"did", "cur">>, <<"failed", "cur", "x">>})
    \cup (IF CurClip(x) THEN {<<"clipEnded", "cur", n>> : n \in {"follows", "hole", "end"}} ELSE {})
Events(x) == Answers(x) \cup Common
    \cup (IF Kind = "playback" THEN {<<"startPreview", "hd", "0">>, <<"stopPreview">>} ELSE ForPreview)
    \cup (IF Kind = "preview" THEN {<<"startPlayback", "1", "in">>, <<"listClips", "1">>, <<"listDays">>} ELSE ForPlayback)
    \cup (IF Kind = "noExtend" THEN {} ELSE {<<"extend">>})
CalmEvents(x) == Answers(x) \cup {<<"tick">>, <<"connectionLost">>, <<"privacy", "1">>, <<"did", "late">>}

Text(x) == x.phase \o Field("why", x.why, "-") \o Field("up", Flag(x.up), "0") \o Field("day", x.day, "-") \o Field("ask", IF x.arg = "-" THEN x.ask ELSE x.ask \o ":" \o x.arg, "-") \o Field("bound", Left(x.bound), "-")
    \o Field("left", Left(x.left), "-") \o Field("def", x.def, "-") \o Field("sound", Flag(x.sound), "0") \o Field("talk", Flag(x.talk), "0")
    \o Field("rec", Flag(x.rec), "0") \o Field("speed", x.speed, "-") \o Field("over", Flag(x.over), "0") \o Field("priv", Flag(x.priv), "0")

-----------------------------------------------------------------------------
Init == s \in {Fresh, [Fresh EXCEPT !.priv = TRUE]} /\ clock = 0 /\ calm = FALSE
Next == \E e \in Events(s) : s' = Step(s, e).s /\ UNCHANGED <<clock, calm>>
NextPrint == \E e \in Events(s) :
    LET r == Step(s, e) IN s' = r.s /\ UNCHANGED <<clock, calm>> /\ PrintT(EdgeText(Text(s), e, Text(r.s), r.fx))
(* Any history, then from some moment on no more requests. *)
NextTimed == \/ \E e \in (IF calm THEN CalmEvents(s) ELSE Events(s)) :
                   s' = Step(s, e).s /\ clock' = (IF e = <<"tick">> THEN 1 - clock ELSE clock) /\ UNCHANGED calm
             \/ ~calm /\ calm' = TRUE /\ UNCHANGED <<s, clock>>
(* F-time: time passes; the shell steps the machine at its next deadline. *)
TimePasses == []<>(clock = 0) /\ []<>(clock = 1)
(* F-player: a clip that plays comes to its end; the player reads a file of finite length and reports its end or failure. *)
ClipsEnd == []<>(s.phase # "playing")

ForSteps(P(_, _)) == \A e \in Events(s) : P(e, Step(s, e))
TypeOK == /\ (s.ask = "-") = (s.bound = None)
          /\ (s.phase = "startingPreview") = (s.ask = "startPreview") /\ (s.phase = "startingPlayback") = (s.ask = "startPlayback")
          /\ (s.left # None) = (s.phase \in Limited) /\ s.left <= Duration
          /\ (s.def # "-") = Live(s) /\ (s.speed # "-") = Playback(s) /\ (s.why # "-") = Ended(s)
          /\ (s.over => Playback(s))
          /\ (Live(s) \/ Playback(s) => s.up)
S_previewAndPlaybackExclude == ForSteps(LAMBDA e, r :
    /\ (HasName(r.fx, "startPlayback") => ~Live(s)) /\ (HasName(r.fx, "startPreview") => ~Playback(s) /\ s.phase = "idle"))
S_playbackNeedsFreshList == /\ (Live(s) \/ ~s.up => s.day = "-")
    /\ ForSteps(LAMBDA e, r : HasName(r.fx, "startPlayback") => s.day = e[2] /\ e[3] \in {"in", "over"} /\ s.up)
S_listIsForgotten == ForSteps(LAMBDA e, r : r.s.day # "-" /\ r.s.day # s.day => e = <<"did", "cur">> /\ s.ask = "listClips" /\ s.arg = r.s.day)
S_pauseAndResume == ForSteps(LAMBDA e, r :
    /\ (HasName(r.fx, "pause") => s.phase = "playing") /\ (HasName(r.fx, "resume") => s.phase = "paused"))
S_talkOnlyLive == (s.talk \/ s.ask = "talk") => s.phase = "previewing"
S_soundOnlyShown == (s.sound \/ s.ask = "unmute") => Shown(s)
S_soundOffAtStart == (s.phase \in {"startingPreview", "startingPlayback"} => ~s.sound)
    /\ ForSteps(LAMBDA e, r : HasName(r.fx, "startPlayback") /\ s.sound => HasName(r.fx, "mute") /\ FirstName(r.fx, "mute") < FirstName(r.fx, "startPlayback"))
S_soundAsAsked == ForSteps(LAMBDA e, r :
    /\ (r.s.sound /\ ~s.sound => e = <<"did", "cur">> /\ s.ask = "unmute") /\ (r.s.ask = "unmute" /\ s.ask # "unmute" => e = <<"mute", "off">>))
S_soundStaysOverClips == ForSteps(LAMBDA e, r : e[1] = "clipEnded" /\ Playback(r.s) => r.s.sound = s.sound)
S_playOnAsAsked == ForSteps(LAMBDA e, r : Playback(r.s) /\ (r.s.over # s.over \/ ~Playback(s)) => HasName(r.fx, "startPlayback") /\ r.s.over = (e[3] = "over"))
S_overHoles == ForSteps(LAMBDA e, r : s.over /\ e = <<"clipEnded", "cur", "hole">> => r.s = s /\ r.fx = <<<<"playOn">>>>)
S_holeFinishes == ForSteps(LAMBDA e, r : ~s.over /\ e = <<"clipEnded", "cur", "hole">> =>
    ~Playback(r.s) /\ Has(r.fx, <<"report", "finished", "hole">>) /\ ~HasName(r.fx, "playOn"))
S_dayEndFinishes == ForSteps(LAMBDA e, r : e = <<"clipEnded", "cur", "end">> =>
    ~Playback(r.s) /\ Has(r.fx, <<"report", "finished", "end">>) /\ ~HasName(r.fx, "playOn"))
S_recordOnlyShowing == s.rec => s.phase \in {"previewing", "playing", "paused"}
S_atMostLiveMax == ForSteps(LAMBDA e, r : HasName(r.fx, "startPreview") => NumberOf[e[3]] < LiveMax)
S_extensionFromNow == ForSteps(LAMBDA e, r : e = <<"extend">> /\ s.phase \in Limited => r.s = [s EXCEPT !.left = Duration])
S_liveOnlyByExtension == ForSteps(LAMBDA e, r :
    s.phase = "previewing" /\ r.s.phase = "previewing" /\ r.s.left > s.left => e = <<"extend">>)
S_speedInRange == s.speed \in {"-", "1", "2"}
S_refusalNamesStep == ForSteps(LAMBDA e, r : HasName(r.fx, "refused") => Len(r.fx) = 1 /\ r.fx[1][2] = e[1])
S_finishedOnlyAtHoleOrEnd == ForSteps(LAMBDA e, r :
    (\E i \in 1..Len(r.fx) : r.fx[i][1] = "report" /\ r.fx[i][2] = "finished") => e[1] = "clipEnded" /\ e[3] \in {"hole", "end"})
S7_nothingLiveInPrivacy == s.priv => ~Live(s) /\ (s.sound => Playback(s)) /\ ~s.talk
S7_recordedStaysPlayable == ForSteps(LAMBDA e, r : e = <<"privacy", "1">> /\ ~Live(s) /\ ~s.priv /\ ~Ended(s) => r.s = [s EXCEPT !.priv = TRUE] /\ r.fx = <<>>)
S8_endedOwesNothing == Ended(s) => /\ s.ask = "-" /\ s.left = None /\ ~s.up /\ ~s.sound /\ ~s.talk /\ ~s.rec
    /\ ForSteps(LAMBDA e, r : r.s = s /\ (e # <<"tick">> => IsRefusal(r.fx)))
S9_refusedChangesNothing == ForSteps(LAMBDA e, r : IsRefusal(r.fx) => r.s = s)
S9_lateIsIgnored == ForSteps(LAMBDA e, r : Len(e) > 1 /\ e[2] \in {"late", "unknown"} => IsRefusal(r.fx))
S10_stopBeforeStart == ForSteps(LAMBDA e, r : HasName(r.fx, "startPlayback") /\ s.ask # "-" =>
    HasName(r.fx, "abandon") /\ FirstName(r.fx, "abandon") < FirstName(r.fx, "startPlayback"))
S10_stoppedWhenLeft == ForSteps(LAMBDA e, r :
    /\ (Live(s) /\ ~Live(r.s) => HasName(r.fx, "stopPreview") \/ s.ask = "startPreview")
    /\ (s.talk /\ ~r.s.talk => HasName(r.fx, "talkOff")) /\ (s.sound /\ ~r.s.sound => HasName(r.fx, "mute"))
    /\ (s.rec /\ ~r.s.rec => HasName(r.fx, "recordOff")))
S11_oneReport == ForSteps(LAMBDA e, r : CountName(r.fx, "report") <= (IF e = <<"tick">> THEN 2 ELSE 1))
S11_phaseIsReported == ForSteps(LAMBDA e, r : s.phase # r.s.phase /\ r.s.phase \notin {"startingPreview", "startingPlayback"} => HasName(r.fx, "report"))

L9_liveEnds == TimePasses => ((s.phase = "previewing") ~> (s.phase # "previewing"))
L9_sessionEnds == (TimePasses /\ ClipsEnd) => (calm ~> Ended(s))
L9_answersOrFails == TimePasses => ((s.ask # "-") ~> (s.ask = "-"))

SomeStep(P(_, _)) == \E e \in Events(s) : P(e, Step(s, e))
Refuses(step, why) == SomeStep(LAMBDA e, r : r.fx = <<<<"refused", step, why>>>>)
Reach_previewing == s.phase # "previewing"
Reach_playing == s.phase # "playing"
Reach_paused == s.phase # "paused"
Reach_talking == ~s.talk
Reach_soundTalkRecord == ~(s.sound /\ s.talk /\ s.rec)
Reach_endedExpired == s.why # "expired"
Reach_endedPrivacy == s.why # "privacy"
Reach_endedDraining == s.why # "draining"
Reach_endedClosed == s.why # "closed"
Reach_full == ~Refuses("startPreview", "full")
Reach_notListed == ~(s.day # "-" /\ Refuses("startPlayback", "notListed"))
Reach_outside == ~Refuses("startPlayback", "outside")
Reach_previewRunning == ~Refuses("startPlayback", "previewRunning")
Reach_playbackRunning == ~Refuses("startPreview", "playbackRunning")
Reach_privacyRefused == ~Refuses("startPreview", "privacy")
Reach_busy == ~Refuses("pause", "busy")
Reach_resumeAfterStop == ~(s.phase = "idle" /\ s.day # "-" /\ Refuses("resume", "notPaused"))
Reach_replacedPlayback == ~(s.phase = "playing" /\ SomeStep(LAMBDA e, r : HasName(r.fx, "startPlayback")))
Reach_staleList == ~(s.phase = "idle" /\ s.up /\ s.day = "-" /\ Refuses("startPlayback", "notListed"))
Reach_playOn == ~SomeStep(LAMBDA e, r : HasName(r.fx, "playOn"))
Reach_overHole == ~(s.over /\ SomeStep(LAMBDA e, r : e = <<"clipEnded", "cur", "hole">> /\ HasName(r.fx, "playOn")))
Reach_overToTheEnd == ~(s.over /\ SomeStep(LAMBDA e, r : Has(r.fx, <<"report", "finished", "end">>)))
Reach_soundInPlayback == ~(s.sound /\ s.phase = "playing")
Reach_soundWhilePaused == ~(s.ask = "unmute" /\ s.phase = "paused")
Reach_soundReplaced == ~(s.sound /\ SomeStep(LAMBDA e, r : HasName(r.fx, "startPlayback")))
Reach_soundInPrivacy == ~(s.priv /\ s.sound)
Reach_finishedHole == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"report", "finished", "hole">>))
Reach_playingInPrivacy == ~(s.priv /\ s.phase = "playing")
Reach_answerTimeout == ~SomeStep(LAMBDA e, r : e = <<"tick">> /\ HasName(r.fx, "abandon"))
Reach_lostWhileTalking == ~(s.talk /\ SomeStep(LAMBDA e, r : e = <<"connectionLost">>))
=============================================================================
