-------------------------- MODULE SubscriptionUploads --------------------------
(* The subscription of one camera and an upload of it as one product, with what passes between them as docs/design/subscription.md  *)
(* "With uploads" has it. The machines are those of Subscription.tla and Upload.tla; what is written here is only the shell between *)
(* them. What the subscription orders reaches the job in the same turn; that something is stored is told it later.                  *)
EXTENDS Lib

CONSTANTS Kind,               \* "all"; "steady": the provider does not move the dates of a plan that ended, and nothing restarts
          Fault,              \* what is broken on purpose in the shell; "-": nothing
          LoadBound, Retry, Refresh, Retention, Untils, Gones,
          Retries, PutBound, Answer, PollEvery, RunBound

VARIABLES p, clock   \* clock flips at each tick in the liveness runs, else it stays 0

S == INSTANCE Subscription WITH Answer <- LoadBound, Kind <- "all", s <- p.s
U == INSTANCE Upload WITH Kind <- "all", s <- p.u

-----------------------------------------------------------------------------
(* s: the subscription. u: the job, of a clip that is closed, without encoding. *)
Of(fx) == [k \in DOMAIN fx |-> <<"u:" \o fx[k][1]>> \o Tail(fx[k])]
JobStep(q, e) == LET r == U!Step(q.u, e) IN R([q EXCEPT !.u = r.s], Of(r.fx))

(* What the subscription orders of the job. *)
Perform(q, t) ==
    CASE t[1] = "uploads" ->
           IF Fault = "endUntold" /\ t[2] = "off" THEN R(q, <<>>)
           ELSE LET r == JobStep(q, <<"allow", IF t[2] = "on" THEN "1" ELSE "0">>)
                IN IF Fault = "renewalAsks" /\ t[2] = "on" /\ r.s.u.phase = "purged" THEN Then(r, LAMBDA y : JobStep(y, <<"reUpload">>)) ELSE r
      [] t[1] = "purgeRemote" -> IF Fault = "purgeUntold" THEN R(q, <<>>) ELSE JobStep(q, <<"purge">>)
      [] OTHER -> R(q, <<>>)
RECURSIVE Performed(_, _)
Performed(q, fx) == IF fx = <<>> THEN R(q, <<>>) ELSE LET a == Perform(q, fx[1]) IN Then(R(a.s, <<fx[1]>> \o a.fx), LAMBDA y : Performed(y, Tail(fx)))
PlanStep(q, e) == LET r == S!Step(q.s, e) IN Performed([q EXCEPT !.s = r.s], r.fx)

(* Time passes for both, for the subscription first: a plan that ends at this instant ends before the job goes on. *)
Tick(q) == Then(PlanStep(q, <<"tick">>), LAMBDA y : JobStep(y, <<"tick">>))
(* The subscription is told whether something counts. *)
Owed(q) == q.s.stored # q.u.counted /\ ~(Fault = "lateUntold" /\ q.s.plan # "active")
Stored(q) == PlanStep(q, <<"stored", Flag(q.u.counted)>>)
(* Both are made anew from what is kept; what is stored is read from the jobs, and each job is told whether uploads are allowed. *)
Restart(q, kept) ==
    LET u == U!Restored(q.u, kept)
        x == [q.s EXCEPT !.failed = FALSE, !.ask = None, !.next = 0, !.stored = u.counted]
        b == [q EXCEPT !.s = x, !.u = u]
    IN IF S!Uploads(x) \/ Fault = "restartAllows" THEN JobStep(b, <<"allow", "1">>) ELSE R(b, <<>>)

AllPlans == {<<"none">>} \cup {<<"active", Str(n)>> : n \in Untils} \cup {<<"expired", Str(n)>> : n \in Gones}
(* A steady provider tells one plan, and does not move the dates of one that ended. *)
Plans(q) == IF Kind = "steady" /\ (q.s.plan # "none" \/ q.s.gone # None) THEN {<<"none">>} ELSE AllPlans
Loads(q) == IF q.s.ask = None THEN {} ELSE {<<"loaded", "cur">> \o t : t \in Plans(q)} \cup {<<"loadFailed", "cur">>}
Answers(q) ==
    CASE q.u.step = "put" -> {<<"uploaded", "cur">>, <<"putFailed", "cur", "unreachable">>}
      [] q.u.step = "ack" -> {<<"acked", "cur">>, <<"ackFailed", "cur">>}
      [] q.u.step = "discard" -> {<<"discarded", "cur">>, <<"discardFailed", "cur", "unreachable">>}
      [] OTHER -> {}
Orders(q) == (IF q.u.phase = "deleted" THEN {} ELSE {<<"delete">>}) \cup (IF q.u.phase = "purged" THEN {<<"reUpload">>} ELSE {})
Mine == [n \in {"uploaded", "putFailed", "acked", "ackFailed", "discarded", "discardFailed", "delete", "reUpload"} |-> "u:" \o n]
(* F-mail: in the steady world what is owed is told before the next tick. *)
Events(q) == (IF Kind = "steady" /\ Owed(q) THEN {} ELSE {<<"tick">>}) \cup Loads(q) \cup {<<Mine[e[1]]>> \o Tail(e) : e \in Answers(q) \cup Orders(q)}
    \cup (IF Owed(q) THEN {<<"stored">>} ELSE {}) \cup (IF Kind = "all" THEN {<<"restart", "lost">>, <<"restart", "kept">>} ELSE {})
Step(q, e) ==
    CASE e[1] = "tick" -> Tick(q)
      [] e[1] = "stored" -> Stored(q)
      [] e[1] = "restart" -> Restart(q, e[2] = "kept")
      [] e[1] \in {"loaded", "loadFailed"} -> PlanStep(q, e)
      [] OTHER -> LET n == CHOOSE n \in DOMAIN Mine : Mine[n] = e[1] IN JobStep(q, <<n>> \o Tail(e))
Text(q) == S!Text(q.s) \o " & " \o U!Text(q.u)

-----------------------------------------------------------------------------
Init == p = [s |-> S!Fresh, u |-> [U!Fresh(FALSE) EXCEPT !.sealed = TRUE]] /\ clock = 0
Next == \E e \in Events(p) : p' = Step(p, e).s /\ UNCHANGED clock
NextPrint == \E e \in Events(p) :
    LET r == Step(p, e) IN p' = r.s /\ UNCHANGED clock /\ PrintT(EdgeText(Text(p), e, Text(r.s), r.fx))
NextTimed == \E e \in Events(p) : p' = Step(p, e).s /\ clock' = IF e = <<"tick">> THEN 1 - clock ELSE clock
TimePasses == []<>(clock = 0) /\ []<>(clock = 1)

-----------------------------------------------------------------------------
(* Properties, written from rules.md. *)
ForSteps(Q(_, _)) == \A e \in Events(p) : Q(e, Step(p, e))
Active(q) == q.s.plan = "active"
Covered(q) == Active(q) \/ q.s.gone # 0
TypeOK == p.u.sealed /\ ~p.u.encode /\ ~p.s.stopped /\ ~p.u.stopped
(* Nothing is sent without an active plan, from the very step on in which it ends; the job knows what the subscription says. *)
S21_noTransferWithoutPlan == p.u.step = "put" => Active(p)
S21_jobKnows == p.u.allowed = Active(p)
(* A purge leaves nothing that counts; what comes to count after the retention is purged as soon as the subscription hears of it. *)
S21_purgeLeavesNothing == ForSteps(LAMBDA e, r : HasName(r.fx, "purgeRemote") => ~r.s.u.counted)
S21_lateIsPurged == ForSteps(LAMBDA e, r : e = <<"stored">> /\ ~Covered(p) => ~r.s.u.counted)
S21_overIsOwed == p.u.counted /\ ~Covered(p) => ~p.s.stored \/ p.s.next = 0
(* What was purged or deleted is sent again only because somebody asks: no renewal and no restart does it. *)
S20_renewalSendsNothing == ForSteps(LAMBDA e, r :
    p.u.phase \in {"removing", "removeFailed", "purged", "deleted"} /\ r.s.u.phase \in {"queued", "uploading"} => e = <<"u:reUpload">>)
(* The end of a plan, and a purge, end no removal; a purge takes nothing that nobody sent. *)
S20_removalGoesOn == ForSteps(LAMBDA e, r : p.u.phase = "removing" /\ e[1] # "u:discarded" => r.s.u.phase = "removing")
S20_unsentStays == ForSteps(LAMBDA e, r : ~p.u.sent /\ HasName(r.fx, "purgeRemote") => r.s.u.phase = p.u.phase)
(* What counts under a plan is not touched by loads, good or bad, nor by time. *)
S15_planKeepsWhatCounts == ForSteps(LAMBDA e, r : p.u.counted /\ Active(p) /\ Active(r.s) => r.s.u.counted \/ e = <<"u:delete">>)
(* What counts without a plan is purged in the end, or a plan is there again. *)
L10_uncoveredGoes == TimePasses => ((p.u.counted /\ ~Active(p)) ~> (~p.u.counted \/ Active(p)))

SomeStep(Q(_, _)) == \E e \in Events(p) : Q(e, Step(p, e))
Reach_counted == ~p.u.counted
Reach_endWhileSending == ~SomeStep(LAMBDA e, r : p.u.step = "put" /\ HasName(r.fx, "uploads") /\ HasName(r.fx, "u:abortPut"))
Reach_purgedWhenDone == ~SomeStep(LAMBDA e, r : p.u.phase = "done" /\ HasName(r.fx, "purgeRemote"))
Reach_lateAcknowledgement == ~SomeStep(LAMBDA e, r : ~Covered(p) /\ p.u.step = "ack" /\ e = <<"u:acked", "cur">>)
Reach_lateIsPurged == ~SomeStep(LAMBDA e, r : ~Covered(p) /\ p.u.phase = "done" /\ e = <<"stored">>)
Reach_lateFoundAfterRestart == ~SomeStep(LAMBDA e, r : ~Covered(p) /\ e = <<"restart", "kept">> /\ ~p.u.counted /\ r.s.u.counted)
Reach_renewedBeforePurge == ~SomeStep(LAMBDA e, r : p.u.counted /\ ~Active(p) /\ Active(r.s))
Reach_renewedAfterPurge == ~SomeStep(LAMBDA e, r : p.u.phase = "purged" /\ ~Active(p) /\ Active(r.s))
Reach_renewedWhileRemoving == ~SomeStep(LAMBDA e, r : p.u.phase = "removing" /\ ~Active(p) /\ Active(r.s))
Reach_askedAfterRenewal == ~SomeStep(LAMBDA e, r : p.u.phase = "purged" /\ e = <<"u:reUpload">> /\ HasName(r.fx, "u:put"))
Reach_askedWithoutPlan == ~SomeStep(LAMBDA e, r : p.u.phase = "purged" /\ e = <<"u:reUpload">> /\ r.s.u.phase = "queued")
Reach_endAndRetryTogether == ~SomeStep(LAMBDA e, r : e = <<"tick">> /\ p.s.until = 1 /\ p.u.step = "wait" /\ p.u.left = 1 /\ p.u.phase = "queued")
Reach_deletedUnderPlan == ~(p.u.phase = "deleted" /\ Active(p))
=============================================================================
