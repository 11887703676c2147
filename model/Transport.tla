------------------------------ MODULE Transport ------------------------------
(* One transport of a camera, from docs/design/transports.md.              *)
EXTENDS Lib

CONSTANTS Initial,    \* I of motion, ticks
          Augment,    \* A of motion
          Longest,    \* M of motion
          Blind,      \* B of motion
          OwnInitial, \* I that a command brings along; its A is 0
          OwnLongest, \* M that a command brings along
          Expiry,     \* ticks that are left of a transport which is over by itself
          Kind        \* "all", or "calm": nobody asks for anything, motion comes and goes

VARIABLES s, clock   \* clock flips at each tick in the liveness runs, else it stays 0

-----------------------------------------------------------------------------
(* The state. The window: end, limit, next (the end before the last prolonging), aug, blind, cmd (a command took part). *)
Fresh(k) == [ph |-> "idle", end |-> None, limit |-> None, next |-> None, aug |-> 0, blind |-> 0, cmd |-> FALSE,
             until |-> None, kind |-> k, active |-> FALSE, block |-> "-", held |-> FALSE, exp |-> None, rec |-> FALSE]
Kinds == {"motion", "command", "continuous"}
Inits == IF Kind = "calm" THEN {[Fresh(k) EXCEPT !.active = TRUE] : k \in Kinds}
         ELSE {Fresh(k) : k \in Kinds} \cup {[Fresh(k) EXCEPT !.active = TRUE, !.exp = Expiry] : k \in Kinds}

WithoutWindow(x) == [x EXCEPT !.end = None, !.limit = None, !.next = None, !.aug = 0, !.blind = 0, !.cmd = FALSE]
Idle(x) == [WithoutWindow(x) EXCEPT !.ph = "idle", !.until = None]
Over(x) == [Fresh(x.kind) EXCEPT !.ph = "over"]

Wants(x) == x.active /\ x.block = "-" /\ x.ph # "over" /\ (x.kind = "continuous" \/ x.ph = "detected")
Prolongs(x) == x.ph = "detected" /\ x.aug > 0 /\ x.end < x.limit
CanProlong(x) == Prolongs(x) /\ x.next \in {None, 0}
Prolong(x) == [x EXCEPT !.next = x.end, !.end = x.end + x.aug]
(* The time control of the transport, the one that a command brings along, and the time that is left by an argument. They are definitions *)
(* of their own so that TransportTrace.cfg can exchange them.                                                                          *)
Own(x) == [i |-> Initial, a |-> Augment, m |-> Longest, b |-> Blind]
Brought(control) == [i |-> OwnInitial, a |-> 0, m |-> OwnLongest, b |-> 5]
ExpiryOf(n) == IF n = "-" THEN None ELSE NumberOf[n]
WindowBy(x, c) == [x EXCEPT !.ph = "detected", !.until = None, !.end = c.i, !.limit = c.m, !.next = None, !.aug = c.a, !.blind = c.b,
                            !.cmd = FALSE]
Window(x) == WindowBy(x, Own(x))
Cause(x) == IF x.kind # "motion" THEN x.kind ELSE IF x.cmd THEN "command" ELSE "motion"

(* What every single change ends with: what is held counts, and a recording runs exactly while one is wanted. *)
Settle(x) ==
    LET counts == x.held /\ x.block = "-" /\ x.kind = "motion"
        a == IF counts /\ x.ph = "idle" THEN Window(x) ELSE x
        b == IF counts /\ CanProlong(a) THEN Prolong(a) ELSE a
    IN IF Wants(b) /\ ~b.rec THEN R([b EXCEPT !.rec = TRUE], <<<<"begin", Cause(b)>>>>) ELSE R(b, <<>>)

(* Forgets what is detected, and ends the recording. *)
Drop(x, why) == LET a == IF x.ph = "detected" THEN Idle(x) ELSE x
                IN R([a EXCEPT !.rec = FALSE], When(x.rec, <<<<"end", why>>>>))
End(x, why, last) == R(Over(x), When(x.rec, <<<<"end", why>>>>) \o <<last>>)

(* Deadlines, in the order of ties: the transport's own end, the window's end, prolonging by what is held, blind time. *)
DueEnd(x) ==
    IF x.ph # "detected" \/ Min(x.end, x.limit) # 0 THEN R(x, <<>>)
    ELSE LET why == IF x.end > x.limit THEN "limit" ELSE "quiet"
             a == [Idle(x) EXCEPT !.rec = FALSE]
             b == IF x.rec /\ x.blind > 0 /\ ~x.cmd THEN [a EXCEPT !.ph = "blind", !.until = x.blind] ELSE a
         IN Then(R(b, When(x.rec, <<<<"end", why>>>>)), Settle)
DueProlong(x) == IF x.held /\ Prolongs(x) /\ x.next = 0 THEN Settle(Prolong(x)) ELSE R(x, <<>>)
DueBlind(x) == IF x.ph = "blind" /\ x.until = 0 THEN Settle(Idle(x)) ELSE R(x, <<>>)
DueExpiry(x) == IF x.exp = 0 THEN End(x, "expired", <<"removed", "expired">>) ELSE R(x, <<>>)

Later(x, n) == [x EXCEPT !.end = DownBy(@, n), !.limit = DownBy(@, n), !.next = DownBy(@, n), !.until = DownBy(@, n), !.exp = DownBy(@, n)]
Due(x) == Then(Then(Then(DueExpiry(x), DueEnd), DueProlong), DueBlind)
Tick(x) == Due(Later(x, 1))

-----------------------------------------------------------------------------
(* Events. *)
WhyNot(x, m) == CASE x.kind # "motion" -> "trigger"
                  [] x.kind = "motion" /\ x.block # "-" -> "blocked"
                  [] x.kind = "motion" /\ x.block = "-" /\ m = "elsewhere" -> "zone"
                  [] x.kind = "motion" /\ x.block = "-" /\ m = "slight" -> "sensitivity"
                  [] OTHER -> IF x.ph = "blind" THEN "blind"
                              ELSE IF x.ph = "detected" /\ ~CanProlong(x) THEN "early" ELSE "-"
Motion(x, m) ==
    IF WhyNot(x, m) # "-" THEN Ignored(x, WhyNot(x, m))
    ELSE Settle(IF x.ph = "detected" THEN Prolong(x) ELSE Window(x))

Refusal(x, control) == IF x.block # "-" THEN "blocked" ELSE IF ~x.active THEN "inactive"
                       ELSE IF x.kind = "continuous" THEN "continuous"
                       ELSE IF x.kind = "command" /\ control = "-" THEN "noTimeControl" ELSE "-"
Triggered(x, control) ==
    IF Refusal(x, control) # "-" THEN R(x, <<<<"refused", Refusal(x, control)>>>>)
    ELSE LET new == [WindowBy(x, IF control = "-" THEN Own(x) ELSE Brought(control)) EXCEPT !.cmd = TRUE]
         IN Settle(IF x.ph # "detected" THEN new
                   ELSE [new EXCEPT !.end = Max(@, x.end), !.limit = Max(@, x.limit), !.aug = Max(@, x.aug), !.next = x.next])

(* other: whether the trigger is another one in what is left out here, its zones, sensitivity and times. *)
Modified(x, k, n, other) ==
    LET exp == ExpiryOf(n)
        new == [x EXCEPT !.kind = k, !.exp = exp]
        dropped == Drop(new, "modified")
    IN IF k = x.kind /\ exp = x.exp /\ ~other THEN Ignored(x, "duplicate")
       ELSE IF k = x.kind THEN Settle(new) ELSE Then(R(Idle(dropped.s), dropped.fx), Settle)

Apply(x, e) ==
    CASE e[1] = "tick" -> Tick(x)
      [] x.ph = "over" /\ e[1] # "tick" -> Ignored(x, "over")
      [] x.ph # "over" /\ e[1] = "motion" -> Motion(x, e[2])
      [] x.ph # "over" /\ e[1] = "held" ->
           IF x.held = (e[2] = "1") THEN Ignored(x, "duplicate") ELSE Settle([x EXCEPT !.held = (e[2] = "1")])
      [] x.ph # "over" /\ e[1] = "triggered" -> Triggered(x, e[2])
      [] x.ph # "over" /\ e[1] = "status" ->
           IF x.active = (e[2] = "active") THEN Ignored(x, "duplicate")
           ELSE IF e[2] = "active" /\ x.block = "privacy" THEN R(x, <<<<"refused", "blocked">>>>)
           ELSE IF e[2] = "active" THEN Settle([x EXCEPT !.active = TRUE])
           ELSE Then(Drop([x EXCEPT !.active = FALSE], "inactive"), Settle)
      [] x.ph # "over" /\ e[1] = "modified" -> Modified(x, e[2], e[3], Len(e) > 3 /\ e[4] = "1")
      [] x.ph # "over" /\ e[1] = "blocked" ->
           IF x.block = e[2] THEN Ignored(x, "duplicate")
           ELSE IF e[2] = "-" THEN Settle([x EXCEPT !.block = "-"])
           ELSE Then(Drop([x EXCEPT !.block = e[2]], e[2]), Settle)
      [] x.ph # "over" /\ e[1] = "deallocated" -> End(x, "deallocated", <<"removed", "deallocated">>)
      [] x.ph # "over" /\ e[1] = "drain" -> End(x, "draining", <<"stopped">>)

(* Only in the first states something is owed; it is settled before the event. *)
Step(x, e) == Then(IF x.ph = "over" THEN R(x, <<>>) ELSE Settle(x), LAMBDA y : Apply(y, e))

Facts == {<<"tick">>, <<"held", "1">>, <<"held", "0">>} \cup {<<"motion", m>> : m \in {"fits", "elsewhere", "slight"}}
Events == IF Kind = "calm" THEN Facts ELSE Facts
    \cup {<<"deallocated">>, <<"drain">>, <<"triggered", "control">>, <<"triggered", "-">>, <<"blocked", "-">>,
          <<"status", "active">>, <<"status", "inactive">>, <<"blocked", "privacy">>, <<"blocked", "disabled">>, <<"blocked", "off">>}
    \cup {<<"modified", k, n>> : k \in Kinds, n \in {"-", Str(Expiry)}}

-----------------------------------------------------------------------------
(* Text. *)
HeadText(x) == CASE x.ph = "detected" -> "detected:" \o Str(x.end) [] x.ph = "blind" -> "blind:" \o Str(x.until) [] OTHER -> x.ph
WindowText(x) == IF x.ph # "detected" THEN ""
    ELSE Field("limit", Left(x.limit), "-") \o Field("next", Left(x.next), "-") \o Field("aug", Str(x.aug), "-")
         \o Field("blind", Str(x.blind), "-") \o Field("commanded", Flag(x.cmd), "0")
Text(x) == HeadText(x) \o WindowText(x) \o Field("kind", x.kind, "motion") \o Field("active", Flag(x.active), "0")
           \o Field("block", x.block, "-") \o Field("held", Flag(x.held), "0") \o Field("expiry", Left(x.exp), "-")
           \o Field("recording", Flag(x.rec), "0")

-----------------------------------------------------------------------------
(* The system: any event of the alphabet in any state. *)
Init == s \in Inits /\ clock = 0
Next == \E e \in Events : s' = Step(s, e).s /\ UNCHANGED clock
NextPrint == \E e \in Events :
    LET r == Step(s, e) IN s' = r.s /\ UNCHANGED clock /\ PrintT(EdgeText(Text(s), e, Text(r.s), r.fx))
NextTimed == \E e \in Events : s' = Step(s, e).s /\ clock' = IF e = <<"tick">> THEN 1 - clock ELSE clock
(* F-time: time passes; the shell steps the machine at its next deadline. A tick is possible in every state. *)
TimePasses == []<>(clock = 0) /\ []<>(clock = 1)

(* Safety: each is a statement on a reachable state and every event in it. *)
ForSteps(P(_, _)) == \A e \in Events : P(e, Step(s, e))

TypeOK == /\ s.ph \in {"idle", "detected", "blind", "over"} /\ (s.until # None) = (s.ph = "blind")
          /\ (s.end # None) = (s.ph = "detected") /\ (s.limit # None) = (s.ph = "detected")
          /\ (s.ph = "detected" => s.end > 0 /\ s.limit > 0) /\ s.exp \in {None} \cup 1..Expiry
          /\ (s.ph # "detected" => s.next = None /\ s.aug = 0 /\ s.blind = 0 /\ ~s.cmd)
S3_endsForANamedCause == ForSteps(LAMBDA e, r : HasName(r.fx, "end") =>
    e[1] \in {"tick", "status", "modified", "blocked", "deallocated", "drain"})
S4_neverTooLong == /\ (s.ph = "detected" => s.limit <= Max(Longest, OwnLongest))
    /\ ForSteps(LAMBDA e, r : s.ph = "detected" /\ r.s.ph = "detected" /\ e[1] \in {"motion", "held"} =>
                              r.s.limit = s.limit)
S5_blindAfterMotionAlone == ForSteps(LAMBDA e, r :
    r.s.ph = "blind" /\ s.ph # "blind" => e = <<"tick">> /\ s.rec /\ ~s.cmd /\ s.ph = "detected" /\ r.s.until = s.blind)
S5_blindMotionDoesNotCount == s.ph = "blind" => Step(s, <<"motion", "fits">>).s.ph = "blind"
S6_recordsWhatItMay == s.rec => s.active /\ s.block = "-" /\ (s.kind = "continuous" \/ s.ph = "detected")
S6_recordsWhatItShould == ForSteps(LAMBDA e, r : r.s.rec = Wants(r.s))
S8_overOwesNothing == s.ph = "over" => /\ ~s.rec /\ s.exp = None
    /\ ForSteps(LAMBDA e, r : r.s = s /\ r.fx = When(e # <<"tick">>, <<<<"ignored", "over">>>>))
S9_ignoredChangesNothing == ForSteps(LAMBDA e, r : IsRefusal(r.fx) => r.s = s)
S11_beginsAndEndsAlternate == ForSteps(LAMBDA e, r :
    CountName(r.fx, "begin") - CountName(r.fx, "end") = (IF r.s.rec THEN 1 ELSE 0) - (IF s.rec THEN 1 ELSE 0))
(* Motion that is remembered counts when the transport is set active. *)
S6_rememberedMotionCounts == s.ph = "detected" /\ ~s.active /\ s.block = "-"
    => Has(Step(s, <<"status", "active">>).fx, <<"begin", "motion">>)

(* Liveness. *)
L_recordingEnds == TimePasses => ((s.ph = "detected") ~> (s.ph # "detected"))
L7_blindEnds == TimePasses => ((s.ph = "blind") ~> (s.ph # "blind"))

(* Witnesses: TLC must violate each. *)
SomeStep(P(_, _)) == \E e \in Events : P(e, Step(s, e))
Reach_motion == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"begin", "motion">>))
Reach_command == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"begin", "command">>) /\ s.kind = "motion")
Reach_continuous == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"begin", "continuous">>))
Reach_quiet == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"end", "quiet">>))
Reach_limit == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"end", "limit">>))
Reach_inactive == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"end", "inactive">>))
Reach_modified == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"end", "modified">>))
Reach_privacy == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"end", "privacy">>))
Reach_expired == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"end", "expired">>))
Reach_deallocated == ~SomeStep(LAMBDA e, r : Has(r.fx, <<"end", "deallocated">>))
Reach_remembered == ~(s.ph = "detected" /\ ~s.active /\ s.next # None)
Reach_blindMotion == ~SomeStep(LAMBDA e, r : r.fx = <<<<"ignored", "blind">>>>)
Reach_early == ~SomeStep(LAMBDA e, r : r.fx = <<<<"ignored", "early">>>>)
Reach_commandInBlind == ~SomeStep(LAMBDA e, r : s.ph = "blind" /\ e[1] = "triggered" /\ r.s.ph = "detected")
Reach_lifted == ~SomeStep(LAMBDA e, r : s.rec /\ ~s.cmd /\ s.ph = "detected" /\ e[1] = "triggered" /\ r.s.limit > s.limit)
Reach_heldChain == ~SomeStep(LAMBDA e, r : CountName(r.fx, "end") = 1 /\ CountName(r.fx, "begin") = 1 /\ s.ph = "detected")
Reach_over == s.ph # "over"
=============================================================================
