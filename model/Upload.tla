------------------------------- MODULE Upload -------------------------------
(* The upload of one clip to the cloud, from docs/design/upload.md.         *)
EXTENDS Lib

CONSTANTS Retries,    \* failed tries that are followed by another one
          PutBound,   \* ticks a transfer may be without progress
          Answer,     \* ticks that recording an acknowledgement, starting the encoder, a poll, or a removal may take
          PollEvery,  \* ticks between polls of the encoder
          RunBound,   \* ticks one run of the encoder may take
          Kind        \* "all"; "live": no restart, no drain, no outage, uploads stay allowed; "outage": as live, with outages;
                      \* "story": all, but small enough to read: a closed clip, no encoder, no stale answers

VARIABLES s, clock    \* clock flips at each tick in the liveness runs, else it stays 0

-----------------------------------------------------------------------------
(* The state. step: what the phase waits for; left: its deadline; total: what is left of an encoder run, 0 once it is over. moved: the    *)
(* transfer made progress. outages: how long the waits of an outage have become. sealed: the clip is closed, its digest fixed. sent:    *)
(* something may be there. aim: what a removal leads to. stage: the last stage that was told.                                           *)
Fresh(enc) == [phase |-> "queued", step |-> "-", left |-> None, total |-> None, moved |-> FALSE, tries |-> 0, outages |-> 0,
               allowed |-> FALSE, encode |-> enc, sealed |-> FALSE, sent |-> FALSE, counted |-> FALSE, aim |-> "-",
               stage |-> "queued", stopped |-> FALSE]
Inits == IF Kind = "story" THEN {[Fresh(FALSE) EXCEPT !.sealed = TRUE]} ELSE {Fresh(TRUE), Fresh(FALSE)}

Backoff(n) == Min(n, 2)
OutagesMax == 2
Ends == {"cancelled", "purged", "deleted"}
Over == {"done", "uploadFailed", "encodingFailed", "removeFailed"} \cup Ends
Encoder(x) == x.step \in {"start", "run", "poll"}
Acking(x) == x.step \in {"ack", "ackWait"}
Rank(aim) == CASE aim = "cancelled" -> 1 [] aim = "purged" -> 2 [] aim = "deleted" -> 3
Rule(aim) == IF aim = "purged" THEN "planRetention" ELSE aim

(* The stage that a job is at: waiting for another try of an upload is none of its own. *)
Stage(old, phase) == IF phase = "queued" /\ old \in {"queued", "uploading"} THEN old ELSE phase

(* What is kept over a restart. *)
Record(x) == <<IF x.phase = "uploading" THEN "queued" ELSE x.phase, x.tries, x.sent, x.counted, x.step \in {"run", "poll"},
               x.sealed, x.aim, x.stage>>

(* The effects of one change: what is called off, then the record with its notice, then orders, then the report. *)
Change(old, put, recorded) ==
    LET new == [put EXCEPT !.stage = Stage(old.stage, put.phase)]
        notice == IF new.stage # old.stage THEN <<new.stage>> ELSE <<>>
        ordered == new.step # old.step \/ (new.phase = "removing" /\ old.phase # "removing")
    IN R(new,
      When(old.step = "put" /\ new.step \notin {"put", "ack"}, <<<<"abortPut">>>>)
      \o When(Encoder(old) /\ ~Encoder(new) /\ new.phase # "done" /\ ~new.stopped, <<<<"cancelEncode">>>>)
      \o When(Record(old) # Record(new) /\ ~recorded, <<<<"save">> \o notice>>)
      \o When(~old.counted /\ new.counted, <<<<"release">>>>)
      \o When(ordered,
              CASE new.step = "put" -> <<<<"put">>>>
                [] new.step = "ack" -> <<<<"recordAck", IF new.encode THEN "encoding" ELSE "done">>>>
                [] new.step = "start" -> <<<<"encode">>>>
                [] new.step = "poll" -> <<<<"poll">>>>
                [] new.step = "discard" -> <<<<"discard", Rule(new.aim)>>>>
                [] new.step \in {"-", "wait", "ackWait", "run"} -> <<>>)
      \o When(new.phase = "cancelled" /\ old.phase # "cancelled" /\ new.counted, <<<<"dropEncoded">>>>)
      \o When(new.phase # old.phase, <<<<"report", new.phase>>>>))

(* What a settled state goes on with by itself. *)
Go(x) ==
    IF x.stopped \/ x.step # "-" THEN x
    ELSE IF x.phase = "queued" /\ x.allowed
    THEN [x EXCEPT !.phase = "uploading", !.step = "put", !.left = PutBound, !.moved = FALSE, !.sent = TRUE]
    ELSE IF x.phase = "encoding" THEN [x EXCEPT !.step = "start", !.left = Answer]
    ELSE IF x.phase = "removing" THEN [x EXCEPT !.step = "discard", !.left = Answer]
    ELSE x

(* A change and what follows from it by itself, reported as one. *)
Settle(old, new) == Change(old, Go(new), FALSE)

Rest(x, phase) == [x EXCEPT !.phase = phase, !.step = "-", !.left = None, !.total = None, !.moved = FALSE]
(* One kind of work is over. *)
End(x, phase) == [Rest(x, phase) EXCEPT !.tries = 0, !.outages = 0]
Waits(x, n) ==
    IF Acking(x) THEN [x EXCEPT !.step = "ackWait", !.left = Backoff(n)]
    ELSE [Rest(x, IF x.phase = "uploading" THEN "queued" ELSE x.phase) EXCEPT !.step = "wait", !.left = Backoff(n)]
Outage(x) == LET n == Min(x.outages + 1, OutagesMax) IN [Waits(x, n) EXCEPT !.outages = n]
Failed(x, failure) ==
    IF failure \in {"unreachable", "busy"} THEN Outage(x)
    ELSE IF failure = "final" \/ x.tries = Retries
    THEN End(x, CASE x.phase = "uploading" -> "uploadFailed" [] x.phase = "encoding" -> "encodingFailed" [] x.phase = "removing" -> "removeFailed")
    ELSE [Waits(x, x.tries + 1) EXCEPT !.tries = x.tries + 1, !.outages = 0]
Uploaded(x) == [End(x, IF x.encode THEN "encoding" ELSE "done") EXCEPT !.counted = TRUE]

(* Deadlines. The end of the encoder's run is only noted: it counts when the encoder still runs then. *)
Due(x) ==
    IF x.left # 0 THEN R(x, <<>>)
    ELSE CASE x.step = "wait" -> Settle(x, [x EXCEPT !.step = "-", !.left = None])
           [] x.step = "ackWait" -> Settle(x, [x EXCEPT !.step = "ack", !.left = Answer])
           [] x.step \in {"put", "ack", "start", "discard"} -> Settle(x, Outage(x))
           [] x.step = "run" -> Settle(x, [x EXCEPT !.step = "poll", !.left = Answer])
           [] x.step = "poll" -> Settle(x, [x EXCEPT !.step = "run", !.left = PollEvery])
Tick(x) == Due([x EXCEPT !.left = Down(@), !.total = Down(@)])

(* The job is to end. What was sent is removed, but for what counts when the job is only cancelled. *)
Remove(x, aim) ==
    IF x.phase = "removing" THEN Settle(x, [x EXCEPT !.aim = aim])
    ELSE IF ~x.sent \/ (aim = "cancelled" /\ x.counted) THEN Settle(x, End(x, aim))
    ELSE Settle(x, [End(x, "removing") EXCEPT !.counted = FALSE, !.aim = aim])
Stronger(x, aim) == IF x.aim # "-" /\ Rank(x.aim) > Rank(aim) THEN x.aim ELSE aim
Cancel(x) ==
    CASE x.phase \in {"done", "cancelled"} -> R(x, <<<<"refused", x.phase>>>>)
      [] x.phase \in {"removing", "purged", "deleted"} -> R(x, <<<<"refused", "removed">>>>)
      [] x.phase = "removeFailed" -> Remove(x, x.aim)
      [] OTHER -> Remove(x, "cancelled")
Purge(x) ==
    IF x.phase = "removing" THEN Ignored(x, "duplicate")
    ELSE IF ~x.sent THEN Ignored(x, "notNeeded")
    ELSE Remove(x, Stronger(x, "purged"))
Delete(x) ==
    IF x.phase = "deleted" \/ (x.phase = "removing" /\ x.aim = "deleted") THEN Ignored(x, "duplicate") ELSE Remove(x, "deleted")

(* Events. Answers are given only for the number that is outstanding ("cur"). *)
Answers == {"progressed", "caughtUp", "uploaded", "putFailed", "acked", "ackFailed", "encodeStarted", "encodeRefused", "polled", "pollFailed", "webhook",
            "discarded", "discardFailed"}
Fits(x, e) ==
    CASE e[1] \in {"progressed", "caughtUp", "uploaded", "putFailed"} -> x.step = "put"
      [] e[1] \in {"acked", "ackFailed"} -> x.step = "ack"
      [] e[1] \in {"encodeStarted", "encodeRefused"} -> x.step = "start"
      [] e[1] \in {"polled", "pollFailed"} -> x.step = "poll"
      [] e[1] \in {"discarded", "discardFailed"} -> x.step = "discard"
      [] e[1] = "webhook" -> Encoder(x)
Running(x) == [x EXCEPT !.step = "run", !.left = PollEvery]
Answered(x, e) ==
    CASE e[1] = "progressed" ->
           IF x.moved THEN Ignored(x, "noProgress") ELSE Settle(x, [x EXCEPT !.moved = TRUE, !.left = PutBound, !.outages = 0])
      [] e[1] = "caughtUp" ->
           IF x.sealed THEN Ignored(x, "notNeeded") ELSE IF x.left = None THEN Ignored(x, "duplicate")
           ELSE Settle(x, [x EXCEPT !.left = None, !.outages = 0])
      [] e[1] = "uploaded" ->
           IF ~x.sealed THEN Ignored(x, "notSealed")
           ELSE Settle(x, [x EXCEPT !.step = "ack", !.left = Answer, !.moved = FALSE, !.outages = 0])
      [] e[1] = "putFailed" -> Settle(x, Failed(x, e[3]))
      [] e[1] = "acked" -> Change(x, Go(Uploaded(x)), TRUE)
      [] e[1] = "ackFailed" -> Settle(x, Outage(x))
      [] e[1] = "encodeStarted" -> Settle(x, [Running(x) EXCEPT !.total = RunBound, !.outages = 0])
      [] e[1] = "encodeRefused" -> Settle(x, Failed(x, e[3]))
      [] e[1] = "pollFailed" -> Settle(x, Running(x))
      [] e[1] = "polled" /\ e[3] = "running" -> Settle(x, IF x.total = 0 THEN Failed(x, "again") ELSE Running(x))
      [] e[1] \in {"polled", "webhook"} /\ e[3] = "finished" -> Settle(x, End(x, "done"))
      [] e[1] \in {"polled", "webhook"} /\ e[3] = "failed" -> Settle(x, Failed(x, "again"))
      [] e[1] = "discarded" -> Settle(x, [End(x, x.aim) EXCEPT !.sent = FALSE, !.aim = "-"])
      [] e[1] = "discardFailed" -> Settle(x, Failed(x, e[3]))

Restored(x, kept) ==
    LET a == IF kept /\ Acking(x) THEN [Uploaded(x) EXCEPT !.stage = IF x.encode THEN "encoding" ELSE "done"] ELSE x
        b == [a EXCEPT !.allowed = FALSE, !.stopped = FALSE, !.outages = 0]
    IN CASE a.phase = "uploading" -> Rest(b, "queued")
         [] a.phase = "queued" -> Rest(b, "queued")
         [] a.phase = "encoding" /\ a.step \in {"run", "poll"} -> [b EXCEPT !.step = "run", !.left = PollEvery, !.total = RunBound]
         [] a.phase = "encoding" /\ a.step \notin {"run", "poll"} -> [b EXCEPT !.step = "wait", !.left = Backoff(1), !.total = None]
         [] a.phase = "removing" -> [b EXCEPT !.step = "wait", !.left = Backoff(1)]
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
      [] ~x.stopped /\ e[1] = "sealed" ->
           IF x.sealed THEN Ignored(x, "duplicate")
           ELSE IF x.phase \in {"cancelled", "deleted"} THEN Ignored(x, "notNeeded")
           ELSE Settle(x, [x EXCEPT !.sealed = TRUE, !.left = IF x.step = "put" /\ @ = None THEN PutBound ELSE @])
      [] ~x.stopped /\ e[1] = "cancel" -> Cancel(x)
      [] ~x.stopped /\ e[1] = "purge" -> Purge(x)
      [] ~x.stopped /\ e[1] = "delete" -> Delete(x)
      [] ~x.stopped /\ e[1] = "sourceGone" ->
           IF x.phase = "queued" \/ x.step = "put" \/ x.phase = "uploadFailed" THEN Remove(x, "cancelled")
           ELSE Ignored(x, "notNeeded")
      [] ~x.stopped /\ e[1] = "reUpload" ->
           IF x.phase \in {"uploadFailed", "purged"} THEN Settle(x, Rest(x, "queued")) ELSE R(x, <<<<"refused", "notFailed">>>>)
      [] ~x.stopped /\ e[1] = "reEncode" ->
           IF x.phase = "encodingFailed" THEN Settle(x, Rest(x, "encoding")) ELSE R(x, <<<<"refused", "notFailed">>>>)
      [] ~x.stopped /\ e[1] = "drain" ->
           LET rest == IF x.step \in {"put", "ackWait"} THEN Rest(x, "queued")
                       ELSE IF x.step = "ack" THEN [x EXCEPT !.left = None]
                       ELSE IF x.step \in {"run", "poll"} THEN [x EXCEPT !.step = "run", !.left = None, !.total = None]
                       ELSE [x EXCEPT !.step = "-", !.left = None, !.total = None]
           IN Also(Change(x, [rest EXCEPT !.stopped = TRUE, !.outages = 0], FALSE), <<<<"stopped">>>>)

Failures == IF Kind = "live" THEN {"again", "final"} ELSE IF Kind = "story" THEN {"unreachable", "again"} ELSE {"unreachable", "busy", "again", "final"}
CurAnswers == {<<n, "cur">> : n \in {"progressed", "caughtUp", "uploaded", "acked", "encodeStarted", "discarded"}}
    \cup {<<n, "cur", f>> : n \in {"putFailed", "encodeRefused", "discardFailed"}, f \in Failures}
    \cup {<<"polled", "cur", p>> : p \in {"running", "finished", "failed"}} \cup {<<"webhook", "cur", o>> : o \in {"finished", "failed"}}
    \cup (IF Kind = "live" THEN {} ELSE {<<"ackFailed", "cur">>, <<"pollFailed", "cur">>})
OldAnswers == {<<"uploaded", k>> : k \in {"late", "unknown"}} \cup {<<"acked", k>> : k \in {"late", "unknown"}}
    \cup {<<"progressed", "late">>, <<"encodeStarted", "late">>, <<"polled", "late", "finished">>, <<"discarded", "late">>}
    \cup {<<"webhook", k, "finished">> : k \in {"late", "unknown"}}
Always == {<<"allow", "1">>, <<"sealed">>, <<"cancel">>, <<"purge">>, <<"delete">>, <<"sourceGone">>, <<"reUpload">>, <<"reEncode">>}
Hard == {<<"allow", "0">>, <<"drain">>, <<"restart", "lost">>, <<"restart", "kept">>}
(* In the live world the cloud and the catalog answer, well or not, before their time is over. *)
Answering(x) == Kind = "live" /\ x.left = 1 /\ x.step \in {"put", "ack", "start", "poll", "discard"}
Events(x) == Always \cup (IF Kind = "story" THEN {} ELSE OldAnswers) \cup {e \in CurAnswers : ~x.stopped /\ Fits(x, e)} \cup (IF Kind \in {"all", "story"} THEN Hard ELSE {})
    \cup (IF Answering(x) THEN {} ELSE {<<"tick">>})

Text(x) == x.phase \o Field("step", x.step, "-") \o Field("left", Left(x.left), "-") \o Field("total", Left(x.total), "-")
    \o Field("moved", Flag(x.moved), "0") \o Field("tries", Str(x.tries), "0") \o Field("outages", Str(x.outages), "0")
    \o Field("allowed", Flag(x.allowed), "0") \o Field("encode", Flag(x.encode), "0") \o Field("sealed", Flag(x.sealed), "0")
    \o Field("sent", Flag(x.sent), "0") \o Field("counted", Flag(x.counted), "0") \o Field("aim", x.aim, "-")
    \o Field("stage", x.stage, x.phase) \o Field("stopped", Flag(x.stopped), "0")

-----------------------------------------------------------------------------
(* The system: any event of the alphabet in any state. *)
Init == s \in Inits /\ clock = 0
Next == \E e \in Events(s) : s' = Step(s, e).s /\ UNCHANGED clock
NextPrint == \E e \in Events(s) :
    LET r == Step(s, e) IN s' = r.s /\ UNCHANGED clock /\ PrintT(EdgeText(Text(s), e, Text(r.s), r.fx))
NextTimed == \E e \in Events(s) : s' = Step(s, e).s /\ clock' = IF e = <<"tick">> THEN 1 - clock ELSE clock
(* F-time: time passes; the shell steps the machine at its next deadline. *)
TimePasses == []<>(clock = 0) /\ []<>(clock = 1)

-----------------------------------------------------------------------------
(* Properties, written from rules.md. *)
ForSteps(P(_, _)) == \A e \in Events(s) : P(e, Step(s, e))
Restart(e) == e[1] = "restart"
Owed(x) == x.step \in {"put", "start", "poll", "discard"}
Refusals(e) == {<<"putFailed", "cur", "again">>, <<"putFailed", "cur", "final">>, <<"encodeRefused", "cur", "again">>, <<"encodeRefused", "cur", "final">>,
    <<"discardFailed", "cur", "again">>, <<"discardFailed", "cur", "final">>, <<"polled", "cur", "failed">>, <<"webhook", "cur", "failed">>}
    \cup (IF s.total = 0 THEN {<<"polled", "cur", "running">>} ELSE {})
TypeOK == /\ s.phase \in {"queued", "uploading", "encoding", "removing"} \cup Over
          /\ (s.phase = "uploading") = (s.step \in {"put", "ack", "ackWait"})
          /\ (s.phase = "queued" => s.step \in {"-", "wait"})
          /\ (s.phase = "encoding" => s.step \in {"wait", "start", "run", "poll"} \/ s.stopped)
          /\ (s.phase = "removing" => s.step \in {"wait", "discard"} \/ s.stopped)
          /\ (s.phase \in Over => s.step = "-" /\ s.tries = 0 /\ s.outages = 0)
          /\ s.tries \in 0..Retries /\ s.outages \in 0..OutagesMax /\ (s.moved => s.step = "put")
          /\ (s.left # None => s.step # "-" /\ ~s.stopped)
          /\ (s.step # "-" /\ ~s.stopped /\ s.left = None => s.step = "put" /\ ~s.sealed)
          /\ ((s.total # None) = (s.step \in {"run", "poll"} /\ ~s.stopped))
          /\ (s.aim # "-") = (s.phase \in {"removing", "removeFailed"})
S8_stoppedOwesNothing == /\ (s.stopped => ~Owed(s) /\ s.left = None /\ s.total = None)
    /\ ForSteps(LAMBDA e, r : s.stopped /\ e[1] \notin {"tick", "restart"} => r.s = s /\ r.fx = <<<<"ignored", "stopped">>>>)
S9_ignoredChangesNothing == ForSteps(LAMBDA e, r : IsRefusal(r.fx) => r.s = s)
S9_lateIsIgnored == ForSteps(LAMBDA e, r : Len(e) > 1 /\ e[2] \in {"late", "unknown"} => IsRefusal(r.fx))
(* The record is safe before anything is ordered that depends on it. *)
S10_saveBeforeOrders == ForSteps(LAMBDA e, r :
    HasName(r.fx, "save") => \A n \in {"put", "encode", "recordAck", "release", "report", "discard"} :
        HasName(r.fx, n) => FirstName(r.fx, "save") < FirstName(r.fx, n))
S10_recordIsSaved == ForSteps(LAMBDA e, r :
    ~Restart(e) /\ Record(s) # Record(r.s) => HasName(r.fx, "save") \/ e[1] = "acked")
(* What the encoder has made of a clip goes when the clip stays there and is not to be encoded any more, and only then. *)
S10_encodedIsDropped == ForSteps(LAMBDA e, r :
    HasName(r.fx, "dropEncoded") = (e = <<"cancel">> /\ s.phase \in {"encoding", "encodingFailed"} /\ ~s.stopped))
S10_oneTransfer == ForSteps(LAMBDA e, r : HasName(r.fx, "put") =>
    s.step # "put" \/ (HasName(r.fx, "abortPut") /\ FirstName(r.fx, "abortPut") < FirstName(r.fx, "put")))
S11_reportsAreChanges == ForSteps(LAMBDA e, r : ~Restart(e) =>
    CountName(r.fx, "report") = (IF s.phase = r.s.phase THEN 0 ELSE 1) /\ (s.phase # r.s.phase => Has(r.fx, <<"report", r.s.phase>>)))
S12_removalNamesItsRule == ForSteps(LAMBDA e, r :
    \A i \in DOMAIN r.fx : r.fx[i][1] = "discard" => r.s.phase = "removing" /\ r.fx[i][2] = Rule(r.s.aim))
(* Counted only after the acknowledgement is durable; never sent again while it counts; then, and only then, the clip is released. *)
S15_countedAfterAck == ForSteps(LAMBDA e, r :
    ~s.counted /\ r.s.counted => e = <<"acked", "cur">> \/ (e = <<"restart", "kept">> /\ Acking(s)))
S15_neverSentAgain == s.counted => ForSteps(LAMBDA e, r : ~HasName(r.fx, "put") /\ (r.s.counted \/ r.s.phase = "removing"))
S15_doneIsNotPending == /\ (s.phase = "done" => s.counted /\ s.step = "-")
                        /\ (s.phase \notin {"encoding", "encodingFailed", "done", "cancelled"} => ~s.counted)
                        /\ (s.phase \in {"encoding", "encodingFailed", "done"} => s.counted)
S15_finalIsFinal == ForSteps(LAMBDA e, r :
    /\ s.phase \in {"done", "cancelled"} /\ e \notin {<<"purge">>, <<"delete">>} => r.s.phase = s.phase
    /\ s.phase = "deleted" => r.s.phase = s.phase)
S15_release == ForSteps(LAMBDA e, r : HasName(r.fx, "release") = (~s.counted /\ r.s.counted /\ ~Restart(e)))
S_notAllowedNotSent == ForSteps(LAMBDA e, r : HasName(r.fx, "put") => r.s.allowed)
S_triesAreBounded == ForSteps(LAMBDA e, r : HasName(r.fx, "put") => s.tries <= Retries)
(* The stages in the record follow those of the job; each that is entered makes one notice, in the write of the record; a restart makes none. *)
Notices(fx) == {i \in DOMAIN fx : fx[i][1] = "save" /\ Len(fx[i]) > 1}
S17_stageIsTrue == s.stage = s.phase \/ (s.phase = "queued" /\ s.stage = "uploading")
S17_toldOnce == ForSteps(LAMBDA e, r :
    CASE Restart(e) -> r.s.stage = (IF e[2] = "kept" /\ Acking(s) THEN IF s.encode THEN "encoding" ELSE "done" ELSE s.stage)
      [] e = <<"acked", "cur">> /\ ~s.stopped -> Notices(r.fx) = {}
      [] OTHER -> /\ Cardinality(Notices(r.fx)) = (IF r.s.stage = s.stage THEN 0 ELSE 1)
                  /\ \A i \in Notices(r.fx) : r.fx[i][2] = r.s.stage)
S17_ackTells == ForSteps(LAMBDA e, r : HasName(r.fx, "recordAck") => Has(r.fx, <<"recordAck", IF s.encode THEN "encoding" ELSE "done">>))
S17_waitingIsNoStage == ForSteps(LAMBDA e, r : r.s.stage # s.stage /\ r.s.stage = "uploading" => s.stage \in {"queued", "uploadFailed", "purged"})
(* Nothing is uploaded, counted or released while the clip is open, and what is closed is not opened again. *)
S18_openIsNotUploaded == ~s.sealed => ~s.counted /\ ~Acking(s) /\ ForSteps(LAMBDA e, r : ~HasName(r.fx, "recordAck") /\ ~HasName(r.fx, "release"))
S18_closedStaysClosed == ForSteps(LAMBDA e, r : s.sealed => r.s.sealed)
(* Only a refusal costs a try, and only the last try fails a job. *)
S19_onlyRefusalsCount == ForSteps(LAMBDA e, r :
    /\ r.s.tries > s.tries => e \in Refusals(e) /\ r.s.tries = s.tries + 1
    /\ r.s.phase \in {"uploadFailed", "encodingFailed", "removeFailed"} /\ r.s.phase # s.phase => e \in Refusals(e))
S19_outageWaits == ForSteps(LAMBDA e, r :
    ~s.stopped /\ Len(e) = 3 /\ e[2] = "cur" /\ e[3] \in {"unreachable", "busy"} =>
        r.s.step = "wait" /\ r.s.tries = s.tries /\ r.s.left = Backoff(r.s.outages) /\ r.s.outages >= s.outages /\ r.s.outages > 0)
(* A removal is remembered until it is confirmed; what is being removed does not count; only who asks sends it again. *)
S20_removalIsRemembered == ForSteps(LAMBDA e, r : s.sent /\ ~r.s.sent => e = <<"discarded", "cur">>)
S20_removedDoesNotCount == s.phase \in {"removing", "removeFailed", "purged", "deleted"} => ~s.counted
S20_nothingIsLeft == s.phase \in {"purged", "deleted"} \/ (s.phase = "cancelled" /\ ~s.counted) => ~s.sent
S20_asked == ForSteps(LAMBDA e, r :
    s.phase \in {"removing", "removeFailed", "purged", "deleted"} /\ r.s.phase \in {"queued", "uploading"} =>
        s.phase = "purged" /\ e = <<"reUpload">>)
(* An order to remove is followed at once or refused or known already; a person's is never weakened. *)
D9_deletionIsFollowed == ForSteps(LAMBDA e, r : e = <<"delete">> /\ ~s.stopped =>
    r.s.phase = "deleted" \/ (r.s.phase = "removing" /\ r.s.aim = "deleted"))
D9_deletionStays == ForSteps(LAMBDA e, r : s.aim = "deleted" => r.s.aim = "deleted" \/ r.s.phase = "deleted")
D10_sentIsKnown == ForSteps(LAMBDA e, r : HasName(r.fx, "put") => r.s.sent /\ (s.sent \/ HasName(r.fx, "save")))

(* Liveness. With uploads allowed, the clip closed, and a cloud that answers or moves in its time, whatever it answers, a job ends. *)
L8_jobEnds == TimePasses =>
    (((s.phase \in {"queued", "uploading"} /\ s.allowed /\ s.sealed) \/ s.phase = "encoding") ~> (s.phase \in Over))
L8_uploadEnds == TimePasses => ((s.phase = "uploading" /\ s.sealed) ~> (s.phase # "uploading"))
L10_removalEnds == TimePasses => ((s.phase = "removing") ~> (s.phase # "removing"))
(* An outage is waited for, however long, and then the work goes on. *)
L8_outageIsWaitedFor == TimePasses => ((s.step \in {"wait", "ackWait"}) ~> (s.step \notin {"wait", "ackWait"}))

SomeStep(P(_, _)) == \E e \in Events(s) : P(e, Step(s, e))
Reach_done == s.phase # "done"
Reach_doneWithoutEncoding == ~(s.phase = "done" /\ ~s.encode)
Reach_uploadFailedByTries == ~SomeStep(LAMBDA e, r : s.tries = Retries /\ e = <<"putFailed", "cur", "again">> /\ r.s.phase = "uploadFailed")
Reach_uploadFailedAtOnce == ~SomeStep(LAMBDA e, r : e = <<"putFailed", "cur", "final">> /\ s.tries = 0)
Reach_encodingFailed == s.phase # "encodingFailed"
Reach_removeFailed == s.phase # "removeFailed"
Reach_reUpload == ~SomeStep(LAMBDA e, r : e = <<"reUpload">> /\ HasName(r.fx, "put"))
Reach_reEncode == ~SomeStep(LAMBDA e, r : e = <<"reEncode">> /\ HasName(r.fx, "encode"))
Reach_abort == ~SomeStep(LAMBDA e, r : HasName(r.fx, "abortPut"))
Reach_cancelEncode == ~SomeStep(LAMBDA e, r : HasName(r.fx, "cancelEncode"))
Reach_cancelledWhileSending == ~SomeStep(LAMBDA e, r : e = <<"cancel">> /\ Has(r.fx, <<"discard", "cancelled">>))
Reach_deletedWhileSending == ~SomeStep(LAMBDA e, r : s.step = "put" /\ e = <<"delete">>)
Reach_deletedWhileAcknowledging == ~SomeStep(LAMBDA e, r : s.step = "ack" /\ e = <<"delete">>)
Reach_deletedWhilePurged == ~SomeStep(LAMBDA e, r : s.phase = "removing" /\ s.aim = "purged" /\ e = <<"delete">> /\ r.s.aim = "deleted")
Reach_purgedWhenDone == ~SomeStep(LAMBDA e, r : s.phase = "done" /\ e = <<"purge">>)
Reach_purgedAndSentAgain == ~SomeStep(LAMBDA e, r : s.phase = "purged" /\ HasName(r.fx, "put"))
Reach_doneByPolling == ~SomeStep(LAMBDA e, r : e = <<"polled", "cur", "finished">>)
Reach_doneByWebhookBeforeStart == ~(s.step = "start" /\ SomeStep(LAMBDA e, r : e = <<"webhook", "cur", "finished">> /\ r.s.phase = "done"))
Reach_runBound == ~SomeStep(LAMBDA e, r : e = <<"polled", "cur", "running">> /\ s.total = 0)
Reach_outageDuringRun == ~SomeStep(LAMBDA e, r : e = <<"pollFailed", "cur">> /\ s.total = 0)
Reach_ackLost == ~SomeStep(LAMBDA e, r : e = <<"restart", "lost">> /\ s.step = "ack")
Reach_ackFoundAfterItsBound == ~SomeStep(LAMBDA e, r : e = <<"restart", "kept">> /\ s.step = "ackWait")
Reach_longOutage == ~(s.outages = OutagesMax /\ s.step = "put")
Reach_progressEndsOutage == ~SomeStep(LAMBDA e, r : s.outages > 0 /\ e = <<"progressed", "cur">> /\ r.s.outages = 0)
Reach_stalled == ~SomeStep(LAMBDA e, r : s.step = "put" /\ s.moved /\ s.left = 1 /\ e = <<"tick">>)
Reach_waitsForTheClip == ~(s.step = "put" /\ s.left = None)
Reach_sealedWhileSending == ~SomeStep(LAMBDA e, r : s.step = "put" /\ s.left = None /\ e = <<"sealed">>)
Reach_liveInterrupted == ~SomeStep(LAMBDA e, r : s.step = "put" /\ ~s.sealed /\ Restart(e))
Reach_liveEmpty == ~SomeStep(LAMBDA e, r : s.phase = "queued" /\ ~s.sealed /\ s.sent /\ e = <<"sourceGone">>)
Reach_cancelledButCounted == ~(s.phase = "cancelled" /\ s.counted)
Reach_notAllowedWhileUploading == ~SomeStep(LAMBDA e, r : e = <<"allow", "0">> /\ s.step = "put")
Reach_removalAfterRestart == ~SomeStep(LAMBDA e, r : s.phase = "removing" /\ s.step = "discard" /\ Restart(e))
Reach_stopped == ~s.stopped
=============================================================================
