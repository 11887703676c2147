---------------------------- MODULE Subscription ----------------------------
(* The cloud subscription of one camera, from docs/design/subscription.md.  *)
EXTENDS Lib

CONSTANTS Answer,     \* ticks a load may take
          Retry,      \* ticks between a failed load and the next
          Refresh,    \* ticks between a good load and the next
          Retention,  \* ticks that stored video outlives its plan
          Untils,     \* remaining ticks of the active plans that a load may tell
          Gones,      \* remaining retention of the expired plans that a load may tell
          Kind        \* "all", or "steady": the provider does not move the dates of a plan that ended

VARIABLES s, clock   \* clock flips at each tick in the liveness runs, else it stays 0

-----------------------------------------------------------------------------
(* The state. keep: how long what is stored outlives its plan, as a load told it. *)
Fresh == [plan |-> "none", until |-> None, gone |-> None, keep |-> Retention, stored |-> FALSE, failed |-> FALSE,
          ask |-> None, next |-> 0, stopped |-> FALSE]
Inits == {Fresh,
          [Fresh EXCEPT !.plan = "active", !.until = 1, !.stored = TRUE],
          [Fresh EXCEPT !.plan = "expired", !.gone = 1, !.stored = TRUE]}

Report(x) ==
    IF x.failed THEN "loadFailed"
    ELSE CASE x.plan = "none" -> "noService"
           [] x.plan = "active" -> IF x.stored THEN "validData" ELSE "noData"
           [] x.plan = "expired" -> IF x.stored THEN "expiredData" ELSE "expiredNoData"

Uploads(x) == x.plan = "active" /\ ~x.stopped

(* What every single change ends with: the effects owed by the difference, in their order. *)
Settle(old, new, load) ==
    LET a == IF ~new.stopped /\ new.plan # "active" /\ new.stored /\ new.gone = None
             THEN [new EXCEPT !.gone = new.keep] ELSE new
        purge == ~a.stopped /\ a.plan # "active" /\ a.stored /\ a.gone = 0
        b == IF purge THEN [a EXCEPT !.stored = FALSE] ELSE a
        c == IF load /\ b.ask = None /\ ~b.stopped THEN [b EXCEPT !.ask = Answer, !.next = None] ELSE b
    IN R(c, When(Uploads(old) # Uploads(c), <<<<"uploads", IF Uploads(c) THEN "on" ELSE "off">>>>)
            \o When(purge, <<<<"purgeRemote", "planRetention">>>>)
            \o When(c.ask # None /\ b.ask = None, <<<<"load">>>>)
            \o When(Report(old) # Report(c), <<<<"report", Report(c)>>>>))

(* Deadlines, in the order of ties: expiry, retention, answer, next load. *)
DueUntil(x) ==
    IF x.until # 0 THEN R(x, <<>>)
    ELSE Settle(x, [x EXCEPT !.plan = "expired", !.until = None, !.gone = x.keep], TRUE)
DueGone(x, before) == IF x.gone = 0 /\ before > 0 THEN Settle(x, x, FALSE) ELSE R(x, <<>>)
DueAnswer(x) ==
    IF x.ask # 0 THEN R(x, <<>>)
    ELSE LET q == Settle(x, [x EXCEPT !.ask = None, !.failed = TRUE, !.next = Retry], FALSE)
         IN R(q.s, <<<<"abandon">>>> \o q.fx)
DueNext(x) == IF x.next # 0 THEN R(x, <<>>) ELSE Settle(x, x, TRUE)

Later(x, n) == [x EXCEPT !.until = DownBy(@, n), !.gone = DownBy(@, n), !.ask = DownBy(@, n), !.next = DownBy(@, n)]
(* What is due now; before: the retention that was left until now. *)
Due(x, before) == Then(Then(Then(DueUntil(x), LAMBDA z : DueGone(z, before)), DueAnswer), DueNext)
Tick(x) == Due(Later(x, 1), x.gone)

-----------------------------------------------------------------------------
(* Events. *)
Loaded(x, e) ==
    LET base == [x EXCEPT !.failed = FALSE, !.ask = None, !.next = Refresh, !.keep = IF Len(e) > 4 THEN e[5] ELSE @]
        new == CASE e[3] = "none" -> [base EXCEPT !.plan = "none", !.until = None]
                 [] e[3] = "active" -> [base EXCEPT !.plan = "active", !.until = NumberOf[e[4]], !.gone = None]
                 [] e[3] = "expired" -> [base EXCEPT !.plan = "expired", !.until = None, !.gone = NumberOf[e[4]]]
    IN Settle(x, new, FALSE)

Apply(x, e) ==
    CASE e[1] = "tick" -> Tick(x)
      [] x.stopped /\ e[1] # "tick" -> Ignored(x, "stopped")
      [] ~x.stopped /\ e[1] \in {"loaded", "loadFailed"} /\ e[2] # "cur" -> Ignored(x, e[2])
      [] ~x.stopped /\ e[1] = "loaded" /\ e[2] = "cur" -> Loaded(x, e)
      [] ~x.stopped /\ e[1] = "loadFailed" /\ e[2] = "cur" ->
           Settle(x, [x EXCEPT !.failed = TRUE, !.ask = None, !.next = Retry], FALSE)
      [] ~x.stopped /\ e[1] = "stored" ->
           IF x.stored = (e[2] = "1") THEN Ignored(x, "duplicate")
           ELSE Settle(x, [x EXCEPT !.stored = (e[2] = "1")], FALSE)
      [] ~x.stopped /\ e[1] = "refresh" -> IF x.ask # None THEN Ignored(x, "duplicate") ELSE Settle(x, x, TRUE)
      [] ~x.stopped /\ e[1] = "drain" ->
           LET q == Settle(x, [x EXCEPT !.stopped = TRUE, !.until = None, !.gone = None, !.ask = None, !.next = None], FALSE)
           IN R(q.s, When(x.ask # None, <<<<"abandon">>>>) \o q.fx \o <<<<"stopped">>>>)

(* Only the first state of a run has something due at 0; it is applied before the event. *)
Step(x, e) == LET a == IF x.next = 0 THEN DueNext(x) ELSE R(x, <<>>) IN Then(a, LAMBDA y : Apply(y, e))

Plans == {<<"none">>} \cup {<<"active", Str(n)>> : n \in Untils} \cup {<<"expired", Str(n)>> : n \in Gones}
Told == IF Kind = "steady" THEN {<<"none">>} ELSE Plans
Events(x) ==
    {<<"tick">>, <<"refresh">>, <<"drain">>, <<"stored", "1">>, <<"stored", "0">>,
     <<"loaded", "late", "none">>, <<"loaded", "unknown", "none">>, <<"loadFailed", "late">>, <<"loadFailed", "unknown">>}
    \cup (IF x.ask = None THEN {} ELSE {<<"loaded", "cur">> \o p : p \in Told} \cup {<<"loadFailed", "cur">>})

-----------------------------------------------------------------------------
(* Text. *)
PlanText(x) == IF x.plan = "active" THEN "active:" \o Left(x.until) ELSE x.plan
Text(x) == PlanText(x) \o Field("gone", Left(x.gone), "-") \o Field("stored", Flag(x.stored), "0") \o Field("failed", Flag(x.failed), "0")
           \o Field("ask", Left(x.ask), "-") \o Field("next", Left(x.next), "-") \o Field("stopped", Flag(x.stopped), "0")

-----------------------------------------------------------------------------
(* The system: any event of the alphabet in any state. *)
Init == s \in Inits /\ clock = 0
Next == \E e \in Events(s) : s' = Step(s, e).s /\ UNCHANGED clock
NextPrint == \E e \in Events(s) :
    LET r == Step(s, e) IN s' = r.s /\ UNCHANGED clock /\ PrintT(EdgeText(Text(s), e, Text(r.s), r.fx))
NextTimed == \E e \in Events(s) : s' = Step(s, e).s /\ clock' = IF e = <<"tick">> THEN 1 - clock ELSE clock
(* F-time: time passes; the shell steps the machine at its next deadline. A tick is possible in every state. *)
TimePasses == []<>(clock = 0) /\ []<>(clock = 1)

(* Safety: each is a statement on a reachable state and every event in it. *)
ForSteps(P(_, _)) == \A e \in Events(s) : P(e, Step(s, e))

TypeOK == /\ s.plan \in {"none", "active", "expired"} /\ (s.until # None) = (s.plan = "active" /\ ~s.stopped)
          /\ s.gone >= None /\ s.gone <= Max(Retention, 9) /\ (s.plan = "active" => s.gone = None)
          /\ s.ask \in {None} \cup 1..Answer /\ s.next \in {None} \cup 0..Max(Retry, Refresh)
          /\ (~s.stopped => (s.ask = None) # (s.next = None))
S8_stoppedOwesNothing == /\ (s.stopped => s.ask = None /\ s.next = None /\ s.until = None /\ s.gone = None)
    /\ ForSteps(LAMBDA e, r : s.stopped /\ e # <<"tick">> => r.s = s /\ r.fx = <<<<"ignored", "stopped">>>>)
S9_ignoredChangesNothing == ForSteps(LAMBDA e, r : IsRefusal(r.fx) => r.s = s)
S9_lateIsIgnored == ForSteps(LAMBDA e, r :
    s.next # 0 /\ Len(e) > 1 /\ e[2] \in {"late", "unknown"} => IsRefusal(r.fx))
S11_reportsAreChanges == ForSteps(LAMBDA e, r :
    /\ CountName(r.fx, "uploads") <= 1
    /\ (HasName(r.fx, "uploads") = (Uploads(s) # Uploads(r.s)))
    /\ (Report(s) # Report(r.s) => HasName(r.fx, "report")))
S12_purgeNamesItsRule == ForSteps(LAMBDA e, r :
    /\ (HasName(r.fx, "purgeRemote") => Has(r.fx, <<"purgeRemote", "planRetention">>) /\ ~r.s.stored /\ r.s.plan # "active")
    /\ (s.stored /\ ~r.s.stored /\ e # <<"stored", "0">> => HasName(r.fx, "purgeRemote")))
(* No video goes before its plan's retention has passed, whatever is told, unless the provider says so. *)
S12_keptForTheRetention == ForSteps(LAMBDA e, r :
    HasName(r.fx, "purgeRemote") => s.gone \in {0, 1} \/ (e[1] = "loaded" /\ e[3] = "expired" /\ e[4] = "0"))
(* The last report of a step is the report of the state it leads to, and nothing but a change is reported. *)
LastReport(fx) == LET at == CHOOSE i \in 1..Len(fx) : fx[i][1] = "report" /\ \A j \in (i + 1)..Len(fx) : fx[j][1] # "report"
                  IN fx[at][2]
S14_reportIsTrue == ForSteps(LAMBDA e, r :
    IF HasName(r.fx, "report") THEN LastReport(r.fx) = Report(r.s) ELSE Report(s) = Report(r.s))
S14_definition == CASE s.failed -> Report(s) = "loadFailed"
    [] ~s.failed /\ s.plan = "none" -> Report(s) = "noService"
    [] ~s.failed /\ s.plan = "active" /\ ~s.stored -> Report(s) = "noData"
    [] ~s.failed /\ s.plan = "active" /\ s.stored -> Report(s) = "validData"
    [] ~s.failed /\ s.plan = "expired" /\ ~s.stored -> Report(s) = "expiredNoData"
    [] ~s.failed /\ s.plan = "expired" /\ s.stored -> Report(s) = "expiredData"
S14_failedLoadKeepsPlan == ForSteps(LAMBDA e, r :
    e[1] = "loadFailed" => (Uploads(r.s) = Uploads(s) /\ r.s.plan = s.plan /\ r.s.until = s.until))
S14_uploadsStopAtExpiry == ForSteps(LAMBDA e, r : s.until = 1 /\ e = <<"tick">> => Has(r.fx, <<"uploads", "off">>) /\ r.s.plan = "expired")

(* Liveness. *)
L_loadsForEver == TimePasses => []<>(s.ask # None \/ s.stopped)
L10_uncoveredIsGone == TimePasses => ((s.stored /\ s.plan # "active") ~> (~s.stored \/ s.plan = "active" \/ s.stopped))
L_planEnds == TimePasses => ((s.plan = "active") ~> (s.plan # "active" \/ s.stopped))

(* Witnesses: TLC must violate each. *)
SomeStep(P(_, _)) == \E e \in Events(s) : P(e, Step(s, e))
Reach_noService == Report(s) # "noService"
Reach_noData == Report(s) # "noData"
Reach_validData == Report(s) # "validData"
Reach_expiredNoData == Report(s) # "expiredNoData"
Reach_expiredData == Report(s) # "expiredData"
Reach_loadFailed == Report(s) # "loadFailed"
Reach_failedWhileUploading == ~(s.failed /\ Uploads(s))
Reach_purge == ~SomeStep(LAMBDA e, r : HasName(r.fx, "purgeRemote"))
Reach_lateUploadPurged == ~(s.plan = "expired" /\ s.gone = 0 /\ SomeStep(LAMBDA e, r : e = <<"stored", "1">> /\ HasName(r.fx, "purgeRemote")))
Reach_renewal == ~SomeStep(LAMBDA e, r : Report(s) = "expiredData" /\ Report(r.s) = "validData")
Reach_expiryWhileAsking == ~SomeStep(LAMBDA e, r : s.until = 1 /\ s.ask = 1 /\ e = <<"tick">>)
Reach_stopped == ~s.stopped
=============================================================================
