------------------------------- MODULE Upload -------------------------------
(* The upload of one clip to the cloud, from docs/design/upload.md.         *)
EXTENDS Lib

CONSTANTS Retries,    \* failed tries that are followed by another one
          PutBound,   \* ticks one transfer may take
          Answer,     \* ticks that recording an acknowledgement, starting the encoder, or a poll may take
          PollEvery,  \* ticks between polls of the encoder
          RunBound,   \* ticks one run of the encoder may take
          Kind        \* "all", or "live": no restart, no drain, uploads stay allowed

VARIABLES s, clock    \* clock flips at each tick in the liveness runs, else it stays 0

-----------------------------------------------------------------------------
(* The state. step: what the phase waits for; left: its deadline; total: the deadline of an encoder run. *)
Fresh(enc) == [phase |-> "queued", step |-> "-", left |-> None, total |-> None, tries |-> 0,
               allowed |-> FALSE, encode |-> enc, sent |-> FALSE, counted |-> FALSE, stopped |-> FALSE]
Inits == {Fresh(TRUE), Fresh(FALSE)}

Backoff(n) == Min(n, 2)
Over == {"done", "cancelled", "uploadFailed", "encodingFailed"}
Encoder(x) == x.step \in {"start", "run", "poll"}

(* What is kept over a restart. *)
Record(x) == <<IF x.phase = "uploading" THEN "queued" ELSE x.phase, x.tries, x.sent, x.counted, x.step \in {"run", "poll"}>>

(* The effects of one change: what is called off, then the record, then orders, then the report. *)
Change(old, new, recorded) ==
    R(new,
      When(old.step = "put" /\ new.step \notin {"put", "ack"}, <<<<"abortPut">>>>)
      \o When(Encoder(old) /\ ~Encoder(new) /\ new.phase # "done" /\ ~new.stopped, <<<<"cancelEncode">>>>)
      \o When(Record(old) # Record(new) /\ ~recorded, <<<<"save">>>>)
      \o When(~old.counted /\ new.counted, <<<<"release">>>>)
      \o When(new.step # old.step,
              CASE new.step = "put" -> <<<<"put">>>>
                [] new.step = "ack" -> <<<<"recordAck">>>>
                [] new.step = "start" -> <<<<"encode">>>>
                [] new.step = "poll" -> <<<<"poll">>>>
                [] new.step \in {"-", "wait", "run"} -> <<>>)
      \o When(new.phase = "cancelled" /\ old.phase # "cancelled" /\ new.sent /\ ~new.counted, <<<<"discardRemote", "cancelled">>>>)
      \o When(new.phase # old.phase, <<<<"report", new.phase>>>>))

(* What a settled state goes on with by itself. *)
Go(x) ==
    IF x.phase = "queued" /\ x.step = "-" /\ x.allowed /\ ~x.stopped
    THEN [x EXCEPT !.phase = "uploading", !.step = "put", !.left = PutBound, !.sent = TRUE]
    ELSE IF x.phase = "encoding" /\ x.step = "-" /\ ~x.stopped
    THEN [x EXCEPT !.step = "start", !.left = Answer]
    ELSE x

(* A change and what follows from it by itself, reported as one. *)
Settle(old, new) == Change(old, Go(new), FALSE)

Rest(x, phase) == [x EXCEPT !.phase = phase, !.step = "-", !.left = None, !.total = None]
Failed(x, final) ==
    LET up == x.phase \in {"queued", "uploading"}
        n == x.tries + 1
    IN IF final \/ n > Retries
       THEN [Rest(x, IF up THEN "uploadFailed" ELSE "encodingFailed") EXCEPT !.tries = 0]
       ELSE [Rest(x, IF up THEN "queued" ELSE "encoding") EXCEPT !.tries = n, !.step = "wait", !.left = Backoff(n)]
Uploaded(x) == [Rest(x, IF x.encode THEN "encoding" ELSE "done") EXCEPT !.counted = TRUE, !.tries = 0]
Encoded(x) == [Rest(x, "done") EXCEPT !.tries = 0]

(* Deadlines: the run of the encoder before the step. *)
DueTotal(x) == IF x.total # 0 THEN R(x, <<>>) ELSE Settle(x, Failed(x, FALSE))
DueLeft(x) ==
    IF x.left # 0 THEN R(x, <<>>)
    ELSE CASE x.step = "wait" -> Settle(x, [x EXCEPT !.step = "-", !.left = None])
           [] x.step \in {"put", "ack", "start"} -> Settle(x, Failed(x, FALSE))
           [] x.step = "run" -> Settle(x, [x EXCEPT !.step = "poll", !.left = Answer])
           [] x.step = "poll" -> Settle(x, [x EXCEPT !.step = "run", !.left = PollEvery])
Tick(x) == Then(DueTotal([x EXCEPT !.left = Down(@), !.total = Down(@)]), DueLeft)

Cancel(x, why) ==
    CASE x.phase \in {"done", "cancelled"} -> R(x, <<<<"refused", x.phase>>>>)
      [] x.phase \notin {"done", "cancelled"} -> Settle(x, [Rest(x, "cancelled") EXCEPT !.tries = 0])

(* Events. Answers are given only for the number that is outstanding ("cur"). *)
Answers == {"uploaded", "putFailed", "acked", "ackFailed", "encodeStarted", "encodeRefused", "polled", "pollFailed", "webhook"}
Fits(x, e) ==
    CASE e[1] \in {"uploaded", "putFailed"} -> x.step = "put"
      [] e[1] \in {"acked", "ackFailed"} -> x.step = "ack"
      [] e[1] \in {"encodeStarted", "encodeRefused"} -> x.step = "start"
      [] e[1] \in {"polled", "pollFailed"} -> x.step = "poll"
      [] e[1] = "webhook" -> Encoder(x)
Running(x) == [x EXCEPT !.step = "run", !.left = PollEvery]
Answered(x, e) ==
    CASE e[1] = "uploaded" -> Settle(x, [x EXCEPT !.step = "ack", !.left = Answer])
      [] e[1] = "putFailed" -> Settle(x, Failed(x, e[3] = "final"))
      [] e[1] = "acked" -> Change(x, Go(Uploaded(x)), TRUE)
      [] e[1] = "ackFailed" -> Settle(x, Failed(x, FALSE))
      [] e[1] = "encodeStarted" -> Settle(x, [Running(x) EXCEPT !.total = RunBound])
      [] e[1] = "encodeRefused" -> Settle(x, Failed(x, e[3] = "final"))
      [] e[1] = "pollFailed" -> Settle(x, Running(x))
      [] e[1] = "polled" /\ e[3] = "running" -> Settle(x, Running(x))
      [] e[1] \in {"polled", "webhook"} /\ e[3] = "finished" -> Settle(x, Encoded(x))
      [] e[1] \in {"polled", "webhook"} /\ e[3] = "failed" -> Settle(x, Failed(x, FALSE))

Restored(x, kept) ==
    LET a == IF kept /\ x.step = "ack" THEN Uploaded(x) ELSE x
        b == [a EXCEPT !.allowed = FALSE, !.stopped = FALSE]
    IN CASE a.phase = "uploading" -> Rest(b, "queued")
         [] a.phase = "queued" -> Rest(b, "queued")
         [] a.phase = "encoding" /\ a.step \in {"run", "poll"} -> [b EXCEPT !.step = "run", !.left = PollEvery, !.total = RunBound]
         [] a.phase = "encoding" /\ a.step \notin {"run", "poll"} -> [b EXCEPT !.step = "wait", !.left = Backoff(1), !.total = None]
         [] a.phase \in Over -> b

Step(x, e) ==
    CASE e[1] = "tick" -> Tick(x)
      [] e[1] = "restart" -> R(Restored(x, e[2] = "kept"), <<>>)
      [] x.stopped /\ e[1] \notin {"tick", "restart"} -> Ignored(x, "stopped")
      [] ~x.stopped /\ e[1] \in Answers -> IF e[2] # "cur" THEN Ignored(x, e[2]) ELSE Answered(x, e)
      [] ~x.stopped /\ e[1] = "allow" ->
           LET on == e[2] = "1"
           IN IF x.allowed = on THEN Ignored(x, "duplicate")
              ELSE IF on THEN Settle(x, [x EXCEPT !.allowed = TRUE])
              ELSE IF x.step = "put" THEN Settle(x, [Rest(x, "queued") EXCEPT !.allowed = FALSE])
              ELSE Settle(x, [x EXCEPT !.allowed = FALSE])
      [] ~x.stopped /\ e[1] = "cancel" -> Cancel(x, "cancelled")
      [] ~x.stopped /\ e[1] = "sourceGone" ->
           IF x.phase = "queued" \/ x.step = "put" \/ x.phase = "uploadFailed" THEN Cancel(x, "sourceGone")
           ELSE Ignored(x, "notNeeded")
      [] ~x.stopped /\ e[1] = "reUpload" ->
           IF x.phase = "uploadFailed" THEN Settle(x, Rest(x, "queued")) ELSE R(x, <<<<"refused", "notFailed">>>>)
      [] ~x.stopped /\ e[1] = "reEncode" ->
           IF x.phase = "encodingFailed" THEN Settle(x, Rest(x, "encoding")) ELSE R(x, <<<<"refused", "notFailed">>>>)
      [] ~x.stopped /\ e[1] = "drain" ->
           LET rest == IF x.step = "put" THEN Rest(x, "queued")
                       ELSE IF x.step = "ack" THEN [x EXCEPT !.left = None]
                       ELSE IF x.step \in {"run", "poll"} THEN [x EXCEPT !.step = "run", !.left = None, !.total = None]
                       ELSE [x EXCEPT !.step = "-", !.left = None, !.total = None]
           IN Also(Change(x, [rest EXCEPT !.stopped = TRUE], FALSE), <<<<"stopped">>>>)

CurAnswers == {<<"uploaded", "cur">>, <<"putFailed", "cur", "again">>, <<"putFailed", "cur", "final">>, <<"acked", "cur">>,
    <<"ackFailed", "cur">>, <<"encodeStarted", "cur">>, <<"encodeRefused", "cur", "again">>, <<"encodeRefused", "cur", "final">>,
    <<"polled", "cur", "running">>, <<"polled", "cur", "finished">>, <<"polled", "cur", "failed">>, <<"pollFailed", "cur">>,
    <<"webhook", "cur", "finished">>, <<"webhook", "cur", "failed">>}
OldAnswers == {<<"uploaded", k>> : k \in {"late", "unknown"}} \cup {<<"acked", k>> : k \in {"late", "unknown"}}
    \cup {<<"encodeStarted", "late">>, <<"polled", "late", "finished">>}
    \cup {<<"webhook", k, "finished">> : k \in {"late", "unknown"}}
Always == {<<"tick">>, <<"allow", "1">>, <<"cancel">>, <<"sourceGone">>, <<"reUpload">>, <<"reEncode">>}
Hard == {<<"allow", "0">>, <<"drain">>, <<"restart", "lost">>, <<"restart", "kept">>}
Events(x) == Always \cup OldAnswers \cup {e \in CurAnswers : ~x.stopped /\ Fits(x, e)} \cup (IF Kind = "all" THEN Hard ELSE {})

Text(x) == x.phase \o Field("step", x.step, "-") \o Field("left", Left(x.left), "-") \o Field("total", Left(x.total), "-") \o Field("tries", Str(x.tries), "0")
    \o Field("allowed", Flag(x.allowed), "0") \o Field("encode", Flag(x.encode), "0") \o Field("sent", Flag(x.sent), "0")
    \o Field("counted", Flag(x.counted), "0") \o Field("stopped", Flag(x.stopped), "0")

-----------------------------------------------------------------------------
(* The system: any event of the alphabet in any state. *)
Init == s \in Inits /\ clock = 0
Next == \E e \in Events(s) : s' = Step(s, e).s /\ UNCHANGED clock
NextPrint == \E e \in Events(s) :
    LET r == Step(s, e) IN s' = r.s /\ UNCHANGED clock /\ PrintT(EdgeText(Text(s), e, Text(r.s), r.fx))
NextTimed == \E e \in Events(s) : s' = Step(s, e).s /\ clock' = IF e = <<"tick">> THEN 1 - clock ELSE clock
(* F-time: time passes; the shell steps the machine at its next deadline. *)
TimePasses == []<>(clock = 0) /\ []<>(clock = 1)

ForSteps(P(_, _)) == \A e \in Events(s) : P(e, Step(s, e))
Owed(x) == x.step \in {"put", "start", "poll"}
TypeOK == /\ s.phase \in {"queued", "uploading", "encoding"} \cup Over
          /\ (s.phase = "uploading") = (s.step \in {"put", "ack"})
          /\ (s.phase = "queued" => s.step \in {"-", "wait"})
          /\ (s.phase = "encoding" => s.step \in {"wait", "start", "run", "poll"} \/ s.stopped)
          /\ (s.phase \in Over => s.step = "-" /\ s.tries = 0)
          /\ (s.left # None) = (s.step # "-" /\ ~s.stopped) /\ s.tries \in 0..Retries
          /\ ((s.total # None) = (s.step \in {"run", "poll"} /\ ~s.stopped))
S8_stoppedOwesNothing == /\ (s.stopped => ~Owed(s) /\ s.left = None /\ s.total = None)
    /\ ForSteps(LAMBDA e, r : s.stopped /\ e[1] \notin {"tick", "restart"} => r.s = s /\ r.fx = <<<<"ignored", "stopped">>>>)
S9_ignoredChangesNothing == ForSteps(LAMBDA e, r : IsRefusal(r.fx) => r.s = s)
S9_lateIsIgnored == ForSteps(LAMBDA e, r : Len(e) > 1 /\ e[2] \in {"late", "unknown"} => IsRefusal(r.fx))
(* The record is safe before anything is ordered that depends on it. *)
S10_saveBeforeOrders == ForSteps(LAMBDA e, r :
    HasName(r.fx, "save") => \A n \in {"put", "encode", "recordAck", "release", "report", "discardRemote"} :
        HasName(r.fx, n) => FirstName(r.fx, "save") < FirstName(r.fx, n))
S10_recordIsSaved == ForSteps(LAMBDA e, r :
    e[1] # "restart" /\ Record(s) # Record(r.s) => HasName(r.fx, "save") \/ e[1] = "acked")
S10_oneTransfer == ForSteps(LAMBDA e, r : HasName(r.fx, "put") =>
    s.step # "put" \/ (HasName(r.fx, "abortPut") /\ FirstName(r.fx, "abortPut") < FirstName(r.fx, "put")))
S11_reportsAreChanges == ForSteps(LAMBDA e, r : e[1] # "restart" =>
    CountName(r.fx, "report") = (IF s.phase = r.s.phase THEN 0 ELSE 1) /\ (s.phase # r.s.phase => Has(r.fx, <<"report", r.s.phase>>)))
S12_discardNamesItsRule == ForSteps(LAMBDA e, r :
    HasName(r.fx, "discardRemote") <=> (s.phase # "cancelled" /\ r.s.phase = "cancelled" /\ s.sent /\ ~s.counted))
(* Counted only after the acknowledgement is durable; then never sent again; then, and only then, the clip is released. *)
S15_countedAfterAck == ForSteps(LAMBDA e, r :
    ~s.counted /\ r.s.counted => e = <<"acked", "cur">> \/ (e = <<"restart", "kept">> /\ s.step = "ack"))
S15_neverSentAgain == s.counted => ForSteps(LAMBDA e, r : ~HasName(r.fx, "put") /\ r.s.counted)
S15_doneIsNotPending == /\ (s.phase = "done" => s.counted /\ s.step = "-")
                        /\ (s.phase \in {"queued", "uploading", "uploadFailed"} => ~s.counted)
                        /\ (s.phase \in {"encoding", "encodingFailed", "done"} => s.counted)
S15_finalIsFinal == ForSteps(LAMBDA e, r : s.phase \in {"done", "cancelled"} => r.s.phase = s.phase)
S15_release == ForSteps(LAMBDA e, r : HasName(r.fx, "release") = (~s.counted /\ r.s.counted /\ e[1] # "restart"))
S_notAllowedNotSent == ForSteps(LAMBDA e, r : HasName(r.fx, "put") => r.s.allowed)
S_triesAreBounded == ForSteps(LAMBDA e, r : HasName(r.fx, "put") => s.tries <= Retries)

(* Liveness: with uploads allowed and time passing, whatever the cloud answers or does not answer. *)
L8_jobEnds == TimePasses => ((s.phase \in {"queued", "uploading", "encoding"} /\ s.allowed) ~> (s.phase \in Over))
L8_uploadEnds == TimePasses => ((s.phase = "uploading") ~> (s.phase # "uploading"))

SomeStep(P(_, _)) == \E e \in Events(s) : P(e, Step(s, e))
Reach_done == s.phase # "done"
Reach_doneWithoutEncoding == ~(s.phase = "done" /\ ~s.encode)
Reach_uploadFailedByTries == ~SomeStep(LAMBDA e, r : s.tries = Retries /\ e = <<"putFailed", "cur", "again">> /\ r.s.phase = "uploadFailed")
Reach_uploadFailedAtOnce == ~SomeStep(LAMBDA e, r : e = <<"putFailed", "cur", "final">> /\ s.tries = 0)
Reach_encodingFailed == s.phase # "encodingFailed"
Reach_reUpload == ~SomeStep(LAMBDA e, r : e = <<"reUpload">> /\ HasName(r.fx, "put"))
Reach_reEncode == ~SomeStep(LAMBDA e, r : e = <<"reEncode">> /\ HasName(r.fx, "encode"))
Reach_abort == ~SomeStep(LAMBDA e, r : HasName(r.fx, "abortPut"))
Reach_cancelEncode == ~SomeStep(LAMBDA e, r : HasName(r.fx, "cancelEncode"))
Reach_discard == ~SomeStep(LAMBDA e, r : HasName(r.fx, "discardRemote"))
Reach_doneByPolling == ~SomeStep(LAMBDA e, r : e = <<"polled", "cur", "finished">>)
Reach_doneByWebhookBeforeStart == ~(s.step = "start" /\ SomeStep(LAMBDA e, r : e = <<"webhook", "cur", "finished">> /\ r.s.phase = "done"))
Reach_runBound == ~SomeStep(LAMBDA e, r : e = <<"tick">> /\ s.total = 1 /\ s.left = 1)
Reach_ackLost == ~SomeStep(LAMBDA e, r : e = <<"restart", "lost">> /\ s.step = "ack")
Reach_cancelledButCounted == ~(s.phase = "cancelled" /\ s.counted)
Reach_notAllowedWhileUploading == ~SomeStep(LAMBDA e, r : e = <<"allow", "0">> /\ s.step = "put")
Reach_stopped == ~s.stopped
=============================================================================
