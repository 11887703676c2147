----------------------------- MODULE Durability -----------------------------
(* Files, catalog, crashes, upload jobs and remote objects: the procedures of "Storage" and of uploads in the design, step by  *)
(* step, with a crash possible between any two of them, also during recovery. D1 to D10, S15, S17, S18 and S20 are those of   *)
(* docs/design/rules.md.                                                                                                      *)
(* A crash loses what is not durable, item by item: directory entries, content since the last sync (to any length, perhaps   *)
(* with a torn last fragment), and a suffix of the catalog's commits that were not made durable. A kill of the process alone *)
(* is the case in which nothing is lost. What is stored remotely stays there.                                                *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS Clips,       \* e.g. {1, 2}
          Full,        \* fragments of a finished clip
          Uploads,     \* the clips of which there are upload jobs
          Live,        \* TRUE: a job begins with its clip; FALSE: when the clip is closed
          SyncKinds,   \* commits that are made durable before the next step: {"open", "deleting", "counted", "removing"} in the design
          NeedUpload,  \* TRUE: the policy asks for a verified upload before local deletion, and a plan is active
          Fault,       \* what is broken on purpose; "-": nothing. "unlinkEarly": unlinks without waiting for the mark to be durable
          Crashes      \* how many crashes

VARIABLES file, row, durable, log, remote, acked, heard, pc, mode, crashes, promised, goal, killed
vars == <<file, row, durable, log, remote, acked, heard, pc, mode, crashes, promised, goal, killed>>

(* here, kept: the directory entry in memory and on disk; size, synced: fragments; torn: half a fragment at the end; aside: set aside. *)
NoFile == [here |-> FALSE, kept |-> FALSE, size |-> 0, synced |-> 0, torn |-> FALSE, aside |-> FALSE]
(* st, size: the clip; job: the record of its upload; note: the notice that the upload counts; by: who deleted the clip. All of them lie in   *)
(* one database, and a commit writes what it writes of them together.                                                                  *)
NoRow == [st |-> "none", size |-> 0, job |-> "-", note |-> "-", by |-> "-"]
Shut == {"closed", "interrupted"}
(* What is there remotely: parts of an unfinished transfer, and the object, in fragments of the clip. *)
Nothing == [parts |-> 0, object |-> 0]
Sending == {"open", "sealed"}
(* The job of a clip that is gone: what was sent is to be removed, unless it counts. Its machine learns that later. *)
Gone(job) == IF job \in Sending THEN "leaving" ELSE job
Leaving == {"leaving", "removing", "removed"}
Forgotten(r) == [NoRow EXCEPT !.job = Gone(r.job), !.note = r.note, !.by = r.by]

(* A commit: at once in the catalog that is read, and durable now or later; a durable one carries all earlier ones. *)
Commit(c, r, kind) ==
    /\ row' = [row EXCEPT ![c] = r]
    /\ IF kind \in SyncKinds THEN durable' = row' /\ log' = <<>> ELSE durable' = durable /\ log' = Append(log, <<c, r>>)
Sync == /\ log # <<>> /\ durable' = row /\ log' = <<>> /\ UNCHANGED <<file, row, remote, acked, heard, pc, mode, crashes, promised, goal, killed>>
RECURSIVE Replay(_, _)
Replay(rows, commits) == IF commits = <<>> THEN rows ELSE Replay([rows EXCEPT ![commits[1][1]] = commits[1][2]], Tail(commits))

Init == /\ file = [c \in Clips |-> NoFile] /\ row = [c \in Clips |-> NoRow] /\ durable = row /\ log = <<>>
        /\ remote = [c \in Clips |-> Nothing] /\ acked = [c \in Clips |-> FALSE] /\ heard = [c \in Clips |-> FALSE] /\ pc = [c \in Clips |-> "new"]
        /\ mode = "up" /\ crashes = 0 /\ promised = [c \in Clips |-> 0] /\ goal = <<>> /\ killed = FALSE

(* Recording one clip. *)
Create(c) == /\ mode = "up" /\ pc[c] = "new" /\ file' = [file EXCEPT ![c].here = TRUE] /\ pc' = [pc EXCEPT ![c] = "created"]
             /\ UNCHANGED <<row, durable, log, remote, acked, heard, mode, crashes, promised, goal, killed>>
SyncEntry(c, from, to) == /\ pc[c] = from /\ file' = [d \in Clips |-> [file[d] EXCEPT !.kept = file[d].here]] /\ pc' = [pc EXCEPT ![c] = to]
             /\ UNCHANGED <<row, durable, log, remote, acked, heard, mode, crashes, promised, goal, killed>>
Created(c) == mode = "up" /\ SyncEntry(c, "created", "entry")
Open(c) == /\ mode = "up" /\ pc[c] = "entry" /\ Commit(c, [NoRow EXCEPT !.st = "open", !.job = IF Live /\ c \in Uploads THEN "open" ELSE "-"], "open") /\ pc' = [pc EXCEPT ![c] = "open"]
           /\ UNCHANGED <<file, remote, acked, heard, mode, crashes, promised, goal, killed>>
Write(c) == /\ mode = "up" /\ pc[c] = "open" /\ file[c].size < Full /\ file' = [file EXCEPT ![c].size = @ + 1]
            /\ UNCHANGED <<row, durable, log, remote, acked, heard, pc, mode, crashes, promised, goal, killed>>
SyncData(c) == /\ mode = "up" /\ pc[c] = "open" /\ file[c].synced < file[c].size /\ file' = [file EXCEPT ![c].synced = file[c].size]
               /\ promised' = [promised EXCEPT ![c] = file[c].size]
               /\ UNCHANGED <<row, durable, log, remote, acked, heard, pc, mode, crashes, goal, killed>>
(* What becomes of the job when its clip is closed: its digest is fixed with the row. *)
SealedAs(c, job) == IF c \in Uploads /\ job \in {"-", "open"} THEN "sealed" ELSE job
Sealed(c) == SealedAs(c, row[c].job)
Close(c) == /\ mode = "up" /\ pc[c] = "open" /\ file[c].size > 0 /\ file[c].synced = file[c].size
            /\ Commit(c, [row[c] EXCEPT !.st = "closed", !.size = file[c].size, !.job = Sealed(c)], "closed") /\ pc' = [pc EXCEPT ![c] = "rest"]
            /\ UNCHANGED <<file, remote, acked, heard, mode, crashes, promised, goal, killed>>

(* Uploading it: parts of what is durable, also while the clip is open; then the object, once the clip is closed. The job is known before. *)
Known(c) == row[c].job \in Sending /\ (durable[c].job \in Sending \/ Fault = "partFirst")
Part(c) == /\ mode = "up" /\ Known(c) /\ row[c].st \in {"open"} \cup Shut /\ remote[c].object = 0
           /\ remote[c].parts < (IF Fault = "partEarly" THEN file[c].size ELSE file[c].synced)
           /\ remote' = [remote EXCEPT ![c].parts = @ + 1] /\ UNCHANGED <<file, row, durable, log, acked, heard, pc, mode, crashes, promised, goal, killed>>
Whole(c) == IF Fault = "completeOpen" THEN remote[c].parts > 0 ELSE row[c].job = "sealed" /\ durable[c].job = "sealed" /\ remote[c].parts = row[c].size
Complete(c) == /\ mode = "up" /\ Known(c) /\ row[c].st \in {"open"} \cup Shut /\ Whole(c) /\ remote[c].parts > 0
               /\ remote' = [remote EXCEPT ![c] = [parts |-> 0, object |-> remote[c].parts]] /\ UNCHANGED <<file, row, durable, log, acked, heard, pc, mode, crashes, promised, goal, killed>>
Ack(c) == /\ mode = "up" /\ pc[c] = "rest" /\ row[c].st \in Shut /\ row[c].job = "sealed" /\ remote[c].object # 0 /\ remote[c].object = row[c].size /\ ~acked[c]
          /\ acked' = [acked EXCEPT ![c] = TRUE] /\ UNCHANGED <<file, row, durable, log, remote, heard, pc, mode, crashes, promised, goal, killed>>
(* The upload counts, and its notice is written with that. An order to remove by the job's machine has made the answer late. A person's order   *)
(* that came before the write takes the copy out with the same write: it does not count, and its notice is told like any other.         *)
Count(c) == /\ mode = "up" /\ acked[c] /\ acked' = [acked EXCEPT ![c] = FALSE]
            /\ IF row[c].job = "sealed" \/ Fault = "lateAck"
               THEN Commit(c, [row[c] EXCEPT !.job = "counted", !.note = IF Fault = "noteApart" THEN "late" ELSE "owed"], "counted")
               ELSE IF row[c].job = "leaving" /\ row[c].by = "person" THEN Commit(c, [row[c] EXCEPT !.note = "owed"], "counted")
               ELSE UNCHANGED <<row, durable, log>>
            /\ UNCHANGED <<file, remote, heard, pc, mode, crashes, promised, goal, killed>>
(* Only with the fault: the notice is written by itself, while the process lives that counted. *)
NoteApart(c) == /\ mode = "up" /\ row[c].note = "late" /\ crashes = 0 /\ Commit(c, [row[c] EXCEPT !.note = "owed"], "note")
                /\ UNCHANGED <<file, remote, acked, heard, pc, mode, crashes, promised, goal, killed>>
(* The notice is handed on, and marked afterwards: a crash in between hands it on again, under its number. *)
Tell(c) == /\ mode = "up" /\ row[c].note = "owed" /\ (durable[c].note = "owed" \/ Fault = "tellEarly") /\ ~heard[c] /\ heard' = [heard EXCEPT ![c] = TRUE]
           /\ UNCHANGED <<file, row, durable, log, remote, acked, pc, mode, crashes, promised, goal, killed>>
Told(c) == /\ mode = "up" /\ row[c].note = "owed" /\ heard[c] /\ Commit(c, [row[c] EXCEPT !.note = "told"], "told")
           /\ UNCHANGED <<file, remote, acked, heard, pc, mode, crashes, promised, goal, killed>>

(* Taking it away again: by the subscription's retention, or because a person deletes the clip. *)
Purge(c) == /\ mode = "up" /\ row[c].job \in {"sealed", "counted"} /\ remote[c] # Nothing /\ Commit(c, [row[c] EXCEPT !.job = "removing"], "removing")
            /\ UNCHANGED <<file, remote, acked, heard, pc, mode, crashes, promised, goal, killed>>
Learn(c) == /\ mode = "up" /\ row[c].job = "leaving" /\ Commit(c, [row[c] EXCEPT !.job = "removing"], "removing")
            /\ UNCHANGED <<file, remote, acked, heard, pc, mode, crashes, promised, goal, killed>>
Discard(c) == /\ mode = "up" /\ row[c].job = "removing" /\ (durable[c].job = "removing" \/ Fault = "discardFirst") /\ remote' = [remote EXCEPT ![c] = Nothing]
              /\ UNCHANGED <<file, row, durable, log, acked, heard, pc, mode, crashes, promised, goal, killed>>
Removed(c) == /\ mode = "up" /\ row[c].job = "removing" /\ remote[c] = Nothing /\ Commit(c, [row[c] EXCEPT !.job = "removed"], "removed")
              /\ UNCHANGED <<file, remote, acked, heard, pc, mode, crashes, promised, goal, killed>>

(* Deleting it by a rule. What was sent of an upload that does not count goes with it. *)
Mark(c) == /\ mode = "up" /\ pc[c] = "rest" /\ row[c].st \in Shut /\ ~acked[c]
           /\ (NeedUpload => row[c].job \in {"counted", "removed"} \/ (Fault = "markSent" /\ remote[c].object # 0))
           /\ Commit(c, [row[c] EXCEPT !.st = "deleting", !.job = Gone(@), !.by = "rule"], "deleting") /\ pc' = [pc EXCEPT ![c] = "marked"]
           /\ UNCHANGED <<file, remote, acked, heard, mode, crashes, promised, goal, killed>>
(* A person deletes it: both copies, in one transaction; also the remote one alone, once the local one is gone. *)
Person(c) == /\ mode = "up" /\ row[c].by # "person"
             /\ \/ pc[c] = "rest" /\ row[c].st \in Shut /\ pc' = [pc EXCEPT ![c] = "marked"]
                \/ pc[c] = "end" /\ row[c].st = "none" /\ row[c].job = "counted" /\ pc' = pc
             /\ Commit(c, [row[c] EXCEPT !.st = IF @ = "none" THEN @ ELSE "deleting", !.by = "person",
                                         !.job = IF Fault = "onlyLocal" \/ @ = "-" \/ @ \in Leaving THEN @ ELSE "leaving"], "deleting")
             /\ UNCHANGED <<file, remote, acked, heard, mode, crashes, promised, goal, killed>>
Unlink(c) == /\ pc[c] = "marked" /\ (durable[c].st = "deleting" \/ Fault = "unlinkEarly") /\ file' = [file EXCEPT ![c].here = FALSE]
             /\ pc' = [pc EXCEPT ![c] = "unlinked"] /\ UNCHANGED <<row, durable, log, remote, acked, heard, mode, crashes, promised, goal, killed>>
Unlinked(c) == SyncEntry(c, "unlinked", "gone")
Forget(c) == /\ pc[c] = "gone" /\ Commit(c, Forgotten(row[c]), "forget") /\ pc' = [pc EXCEPT ![c] = "end"]
             /\ UNCHANGED <<file, remote, acked, heard, mode, crashes, promised, goal, killed>>

(* What recovery makes of a clip, as a function of what is on disk. Recovery itself goes step by step below. *)
Recovered(c, f, r) ==
    CASE r.st = "deleting" -> <<FALSE, FALSE, 0, Forgotten(r)>>
      [] r.st = "open" /\ f.here /\ f.size = 0 -> <<FALSE, FALSE, 0, Forgotten(r)>>
      [] r.st = "open" /\ f.here /\ f.size > 0 -> <<TRUE, FALSE, f.size, [r EXCEPT !.st = "interrupted", !.size = f.size, !.job = SealedAs(c, @)]>>
      [] r.st = "open" /\ ~f.here -> <<FALSE, FALSE, 0, Forgotten(r)>>
      [] r.st \in Shut -> <<f.here, FALSE, f.size, r>>
      [] r.st = "none" -> <<f.here, f.here, IF f.here THEN f.size ELSE 0, r>>
Outcome == [c \in Clips |-> Recovered(c, file[c], row[c])]

Died == crashes < Crashes /\ crashes' = crashes + 1
(* What a process that begins after a crash finds: of the clip that it was about to make there may be nothing left. Recovery that goes on with
   what an earlier one has left (again) has the same goal. *)
Begins(again) ==
          /\ acked' = [c \in Clips |-> FALSE] /\ mode' = "recovering"
          /\ pc' = [c \in Clips |-> IF row'[c].st = "none" /\ ~file'[c].here THEN (IF pc[c] \in {"new", "created", "entry", "open"} /\ promised[c] = 0 THEN "new" ELSE "end")
                                    ELSE "look"]
          /\ goal' = IF again THEN goal ELSE [c \in Clips |-> Recovered(c, file'[c], row'[c])]
          /\ UNCHANGED <<remote, heard, promised>>
(* The process dies: nothing is lost, nothing is more durable than before, and what was being written may be there in part. *)
Kill ==
    /\ Died /\ UNCHANGED <<row, durable, log>>
    /\ \E torn \in [Clips -> BOOLEAN] :
        /\ \A c \in Clips : torn[c] => file[c].torn \/ (pc[c] = "open" /\ file[c].size < Full)
        /\ file' = [c \in Clips |-> [file[c] EXCEPT !.torn = torn[c]]]
    /\ killed' = TRUE /\ Begins(mode = "recovering")
PowerCut ==
    /\ Died
    /\ \E n \in 0..Len(log) : durable' = Replay(durable, SubSeq(log, 1, n))
    /\ row' = durable' /\ log' = <<>>
    /\ \E entry \in [Clips -> BOOLEAN], size \in [Clips -> 0..Full], torn \in [Clips -> BOOLEAN] :
        /\ \A c \in Clips :
            LET f == file[c] IN
            /\ (f.here = f.kept => entry[c] = f.here)
            /\ (IF entry[c] THEN size[c] \in f.synced..f.size ELSE size[c] = 0)
            /\ (torn[c] => entry[c] /\ ~(~f.torn /\ f.size = f.synced))
        /\ file' = [c \in Clips |-> [here |-> entry[c], kept |-> entry[c], size |-> size[c], synced |-> size[c], torn |-> torn[c],
                                     aside |-> file[c].aside]]
    \* What an earlier kill had left in memory alone may be lost now.
    /\ killed' = FALSE /\ Begins(mode = "recovering" /\ (killed => log = <<>> /\ \A c \in Clips : file[c].size = file[c].synced /\ file[c].here = file[c].kept))
Crash == Kill \/ PowerCut

(* Recovery: for each row and each file. *)
Look(c) ==
    /\ mode = "recovering" /\ pc[c] = "look"
    /\ CASE row[c].st = "deleting" -> pc' = [pc EXCEPT ![c] = "marked"] /\ UNCHANGED file
         [] row[c].st = "open" /\ file[c].here /\ file[c].size > 0 -> pc' = [pc EXCEPT ![c] = "cut"] /\ UNCHANGED file
         [] row[c].st = "open" /\ file[c].here /\ file[c].size = 0 -> pc' = [pc EXCEPT ![c] = "empty"] /\ UNCHANGED file
         [] row[c].st = "open" /\ ~file[c].here -> pc' = [pc EXCEPT ![c] = "gone"] /\ UNCHANGED file
         [] row[c].st \in Shut -> pc' = [pc EXCEPT ![c] = "rest"] /\ UNCHANGED file
         [] row[c].st = "none" -> pc' = [pc EXCEPT ![c] = "end"] /\ file' = [file EXCEPT ![c].aside = TRUE, ![c].kept = TRUE]
    /\ UNCHANGED <<row, durable, log, remote, acked, heard, mode, crashes, promised, goal, killed>>
Cut(c) == /\ mode = "recovering" /\ pc[c] = "cut" /\ file' = [file EXCEPT ![c].torn = FALSE, ![c].synced = IF Fault = "cutUnsynced" THEN @ ELSE file[c].size]
          /\ Commit(c, [row[c] EXCEPT !.st = "interrupted", !.size = file[c].size, !.job = Sealed(c)], "closed") /\ pc' = [pc EXCEPT ![c] = "rest"]
          /\ UNCHANGED <<remote, acked, heard, mode, crashes, promised, goal, killed>>
(* No whole fragment arrived: nothing to keep, so the clip goes the way of every deletion, by the rule "empty". *)
MarkEmpty(c) == /\ mode = "recovering" /\ pc[c] = "empty" /\ Commit(c, [row[c] EXCEPT !.st = "deleting", !.job = Gone(@)], "deleting")
          /\ pc' = [pc EXCEPT ![c] = "marked"] /\ UNCHANGED <<file, remote, acked, heard, mode, crashes, promised, goal, killed>>
Ready == /\ mode = "recovering" /\ \A c \in Clips : pc[c] \in {"rest", "end", "new"} /\ mode' = "up"
         /\ UNCHANGED <<file, row, durable, log, remote, acked, heard, pc, crashes, promised, goal, killed>>

Work(c) == \/ Create(c) \/ Created(c) \/ Open(c) \/ Write(c) \/ SyncData(c) \/ Close(c) \/ Part(c) \/ Complete(c) \/ Ack(c) \/ Count(c) \/ NoteApart(c)
           \/ Purge(c) \/ Mark(c) \/ Person(c)
Clean(c) == Unlink(c) \/ Unlinked(c) \/ Forget(c) \/ Look(c) \/ Cut(c) \/ MarkEmpty(c)
(* What the jobs do by themselves once they are restored. *)
Settle(c) == Tell(c) \/ Told(c) \/ Learn(c) \/ Discard(c) \/ Removed(c)
AllDone == mode = "up" /\ (\A c \in Clips : pc[c] = "end" /\ row[c].job \in {"-", "counted", "removed"}) /\ UNCHANGED vars
Next == Crash \/ Sync \/ Ready \/ AllDone \/ \E c \in Clips : Work(c) \/ Clean(c) \/ Settle(c)
Spec == Init /\ [][Next]_vars
(* F-disk: a step of recovery or deletion that can be done is done (the worker runs; file calls return or fail within bounds). *)
(* F-net: what is to be removed remotely is removed in the end, and notices are taken. *)
(* F-sync: a commit becomes durable at some time (the catalog is checkpointed). F-start: after a crash the service is started again (systemd Restart=). *)
Fair == Spec /\ WF_vars(Sync) /\ WF_vars(Ready) /\ \A c \in Clips : WF_vars(Clean(c)) /\ WF_vars(Tell(c)) /\ WF_vars(Told(c)) /\ WF_vars(Learn(c)) /\ WF_vars(Discard(c)) /\ WF_vars(Removed(c))

-----------------------------------------------------------------------------
TypeOK == /\ mode \in {"up", "recovering"} /\ \A c \in Clips : file[c].synced <= file[c].size /\ file[c].size <= Full
(* A row that says complete has its file, synced, of that size, in every catalog that a crash could leave. *)
Catalogs == {Replay(durable, SubSeq(log, 1, n)) : n \in 0..Len(log)}
D1_completeRowHasFile == \A rows \in Catalogs, c \in Clips :
    rows[c].st \in Shut => file[c].here /\ file[c].kept /\ file[c].synced >= rows[c].size /\ ~(file[c].torn /\ row[c].st # "open")
D2_oneClass == \A c \in Clips : file[c].here =>
    Cardinality({k \in {"opening", "catalogued", "deleting", "unclaimed"} :
        CASE k = "opening" -> row[c].st = "none" /\ pc[c] \in {"created", "entry"}
          [] k = "catalogued" -> row[c].st \in {"open"} \cup Shut
          [] k = "deleting" -> row[c].st = "deleting"
          [] k = "unclaimed" -> row[c].st = "none" /\ pc[c] \in {"look", "end"}}) = 1
D2_asideIsUnclaimed == \A c \in Clips : file[c].aside => row[c].st = "none" /\ file[c].here
D3_unlinkAfterMark == [][\A c \in Clips : file[c].here /\ ~file'[c].here => durable[c].st = "deleting" \/ (mode' = "recovering" /\ crashes' > crashes)]_vars
D3_markOutlivesFile == \A c \in Clips : pc[c] \in {"unlinked"} => durable[c].st = "deleting"
(* A rule marks no clip before its upload counts and its object is there, or was ordered away: then nothing is waited for. *)
D4_protectedIsKept == NeedUpload => \A c \in Clips, rows \in Catalogs : rows[c].st = "deleting" /\ rows[c].by = "rule" =>
    rows[c].job \in {"counted"} \cup Leaving
D4_verifiedFirst == [][NeedUpload /\ crashes' = crashes => \A c \in Clips : row[c].st # "deleting" /\ row'[c].st = "deleting" /\ row'[c].by = "rule" =>
    row'[c].job = "removed" \/ (row'[c].job = "counted" /\ remote[c].object = row[c].size)]_vars
D5_recoveryIdempotent == mode = "recovering" => Outcome = goal
D5_recoveryArrives == [][mode = "recovering" /\ mode' = "up" => \A c \in Clips : row[c] = goal[c][4] /\ file[c].here = goal[c][1] /\ file[c].aside = goal[c][2]]_vars
D6_garbageGoes == \A c \in Clips : (row[c].st = "deleting") ~> (row[c].st # "deleting" /\ ~file[c].here)
D6_recoveryEnds == (mode = "recovering") ~> (mode = "up")
D7_countedIsUploaded == \A c \in Clips, rows \in Catalogs : rows[c].job = "counted" =>
    remote[c].object > 0 /\ (rows[c].st \in Shut => remote[c].object = rows[c].size)
Counts(r) == r.job = "counted"
(* What counts does so until it is ordered away; a crash takes nothing back that is durable, nor what the daemon has gone on with. *)
D7_countedStays == [][\A c \in Clips : Counts(durable[c]) => durable'[c].job \in {"counted"} \cup Leaving]_vars
D7_countedSurvives == [][\A c \in Clips : Counts(row[c]) => row'[c].job \in {"counted"} \cup Leaving]_vars
D7_toldAfterDurable == \A c \in Clips, rows \in Catalogs : heard[c] => rows[c].note \in {"owed", "told"}
(* S15: no key under two contents. *)
S15_oneContent == [][\A c \in Clips : remote[c].object # 0 => remote'[c].object \in {remote[c].object, 0}]_vars
(* S17: the notice is in each catalog in which the upload counts. It is heard in the end. *)
S17_noticeWithRecord == \A c \in Clips, rows \in Catalogs : rows[c].job = "counted" => rows[c].note \in {"owed", "told"}
S17_heard == \A c \in Clips : (durable[c].job = "counted") ~> heard[c]
(* S18: an object is made of a clip that is closed, durably, and is as long as it. *)
S18_objectOfClosed == [][\A c \in Clips : remote[c].object = 0 /\ remote'[c].object # 0 => durable[c].st \in Shut /\ remote'[c].object = durable[c].size]_vars
(* S20: what is removed stays removed; an order to remove that is durable is followed. *)
S20_removedIsNotSent == [][\A c \in Clips : remote'[c].parts > remote[c].parts \/ remote'[c].object > remote[c].object => row[c].job \in Sending]_vars
S20_removalStays == [][\A c \in Clips : durable[c].job \in Leaving => durable'[c].job \in Leaving]_vars
S20_removalEnds == \A c \in Clips : (durable[c].job \in {"leaving", "removing"}) ~> (row[c].job = "removed" /\ remote[c] = Nothing)
(* D9: what a person has deleted, durably, is gone in the end, here and there. *)
D9_bothCopiesGo == \A c \in Clips : (durable[c].by = "person") ~> (~file[c].here /\ remote[c] = Nothing)
(* D10: whatever is there remotely has a job in every catalog that a crash could leave, and no part is longer than what is durable here. *)
D10_remoteIsKnown == \A c \in Clips, rows \in Catalogs : remote[c] # Nothing => rows[c].job \in {"open", "sealed", "counted", "leaving", "removing"}
D10_partsAreDurable == \A c \in Clips : file[c].here /\ row[c].st \in {"open"} \cup Shut => remote[c].parts <= file[c].synced
(* What was once synced is, after recovery, in the catalog, unless a rule deleted it. *)
D8_syncedIsKept == \A c \in Clips : mode = "up" /\ promised[c] > 0 /\ pc[c] \notin {"marked", "unlinked", "gone", "end"} =>
    row[c].st # "none" /\ file[c].here /\ file[c].size >= promised[c]
D8_nothingSyncedAside == \A c \in Clips : file[c].aside => promised[c] = 0

Reach_interrupted == \A c \in Clips : row[c].st # "interrupted"
Reach_aside == \A c \in Clips : ~file[c].aside
Reach_torn == \A c \in Clips : ~file[c].torn
Reach_crashInRecovery == ~(mode = "recovering" /\ crashes = 2)
Reach_deleted == \A c \in Clips : ~(pc[c] = "end" /\ promised[c] > 0)
Reach_reappeared == \A c \in Clips : ~(mode = "recovering" /\ row[c].st = "deleting" /\ file[c].here)
Reach_markedFileGone == \A c \in Clips : ~(mode = "recovering" /\ row[c].st = "deleting" /\ ~file[c].here)
Reach_closedCommitLost == \A c \in Clips : ~(mode = "recovering" /\ row[c].st = "open" /\ promised[c] = Full)
Reach_sentBeforeCrash == \A c \in Clips : ~(mode = "up" /\ crashes = 1 /\ remote[c].object > 0 /\ row[c].job = "sealed")
Reach_partsOfOpen == \A c \in Clips : ~(row[c].st = "open" /\ remote[c].parts > 0)
Reach_partsOfInterrupted == \A c \in Clips : ~(mode = "up" /\ row[c].st = "interrupted" /\ remote[c].parts > 0)
Reach_guardedDeletion == \A c \in Clips : ~(row[c].st = "deleting" /\ row[c].by = "rule" /\ row[c].job = "counted")
Reach_remoteOnly == \A c \in Clips : ~(row[c].st = "none" /\ row[c].job = "counted")
Reach_personWhileSending == \A c \in Clips : ~(row[c].by = "person" /\ row[c].job = "leaving" /\ remote[c].parts > 0)
Reach_personDeletesRemoteOnly == \A c \in Clips : ~(row[c].by = "person" /\ row[c].st = "none" /\ row[c].job = "leaving" /\ remote[c].object > 0)
Reach_removalAfterCrash == \A c \in Clips : ~(mode = "recovering" /\ row[c].job = "removing" /\ remote[c] # Nothing)
Reach_purgeBeforeAck == \A c \in Clips : ~(acked[c] /\ row[c].job = "removing")
Reach_heardTwice == \A c \in Clips : ~(mode = "recovering" /\ heard[c] /\ row[c].note = "owed")
Reach_emptyDeleted == \A c \in Clips : pc[c] # "empty"
Reach_counted == \A c \in Clips : row[c].job # "counted"

-----------------------------------------------------------------------------
(* Text, for one clip: each transition with the procedure's step that makes it. The catalog is compared with it (Tests/CatalogTests). What is *)
(* in memory alone and has no trace in file, row and store is left out where it follows from the rest. *)
S == INSTANCE Lib
RowText(r) == S!Field("st", r.st, "none") \o S!Field("rows", ToString(r.size), "0") \o S!Field("job", r.job, "-") \o S!Field("note", r.note, "-") \o S!Field("by", r.by, "-")
FileText(f) == (IF f.here \/ f.kept THEN S!Field("file", ToString(f.size) \o "/" \o ToString(f.synced), "0/0") ELSE "") \o S!Field("here", S!Flag(f.here), "0")
               \o S!Field("kept", S!Flag(f.kept), "0") \o S!Field("torn", S!Flag((f.here \/ f.kept) /\ f.torn), "0") \o S!Field("aside", S!Flag(f.aside), "0")
Text(c, m, p, f, r, at, a, h, pr) ==
    (IF m = "up" THEN p ELSE "recovering:" \o p) \o RowText(r) \o FileText(f)
    \o S!Field("parts", ToString(at.parts), "0") \o S!Field("object", ToString(at.object), "0")
    \o S!Field("acked", S!Flag(a), "0") \o S!Field("heard", S!Flag(h), "0") \o S!Field("promised", S!Flag(pr > 0), "0")
Edge(c, e) == PrintT(Text(c, mode, pc[c], file[c], row[c], remote[c], acked[c], heard[c], promised[c]) \o " | " \o e \o " -> "
                     \o Text(c, mode', pc'[c], file'[c], row'[c], remote'[c], acked'[c], heard'[c], promised'[c]) \o " | -")
(* A kill that leaves what a power cut may leave too is printed as that alone. *)
KillAlone == Kill /\ \E c \in Clips : file'[c].size # file'[c].synced \/ file'[c].here # file'[c].kept \/ (file'[c].torn /\ ~file[c].torn)
(* What makes a difference to what may come next: neither the number of crashes nor the goal, which a property looks at; nor what a file was. *)
Seen == <<[c \in Clips |-> IF file[c].here \/ file[c].kept THEN file[c] ELSE [NoFile EXCEPT !.aside = file[c].aside]], row, durable, log, remote, acked, heard,
          pc, mode, [c \in Clips |-> promised[c] > 0]>>
By(Action(_), c, e) == Action(c) /\ Edge(c, e)
NextPrint == \E c \in Clips :
    \/ By(Create, c, "create") \/ By(Created, c, "syncFolder") \/ By(Open, c, "open") \/ By(Write, c, "write")
    \/ By(SyncData, c, "sync") \/ By(Close, c, "close") \/ By(Part, c, "sendPart") \/ By(Complete, c, "complete")
    \/ By(Ack, c, "verify") \/ By(Count, c, "acknowledge") \/ By(Tell, c, "tell") \/ By(Told, c, "markTold")
    \/ By(Purge, c, "purge") \/ By(Learn, c, "learn") \/ By(Discard, c, "discard") \/ By(Removed, c, "removed") \/ By(Mark, c, "deleteByRule")
    \/ By(Person, c, "deleteByPerson") \/ By(Unlink, c, "unlink") \/ By(Unlinked, c, "syncFolder") \/ By(Forget, c, "forget")
    \/ By(Look, c, "look") \/ By(Cut, c, "cut") \/ By(MarkEmpty, c, "markEmpty")
    \/ (Ready /\ Edge(c, "ready")) \/ (KillAlone /\ Edge(c, "kill")) \/ (PowerCut /\ Edge(c, "powerCut")) \/ AllDone
=============================================================================
