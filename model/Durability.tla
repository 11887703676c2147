----------------------------- MODULE Durability -----------------------------
(* Files, catalog, crashes, and the acknowledgement of uploads: the procedures of "Storage" in the design, step by step,     *)
(* with a crash possible between any two of them, also during recovery. D1 to D8 are those of docs/design/rules.md.           *)
(* A crash loses what is not durable, item by item: directory entries, content since the last sync (to any length, perhaps   *)
(* with a torn last fragment), and a suffix of the catalog's commits that were not made durable. A kill of the process alone *)
(* is the case in which nothing is lost.                                                                                      *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS Clips,       \* e.g. {1, 2}
          Full,        \* fragments of a finished clip
          SyncKinds,   \* commits that are made durable before the next step: {"open", "deleting", "counted"} in the design
          NeedUpload,  \* TRUE: the policy asks for a verified upload before local deletion
          UnlinkEarly, \* TRUE (a fault): unlinks without waiting for the mark to be durable
          Crashes      \* how many crashes

VARIABLES file, row, durable, log, remote, acked, pc, mode, crashes, promised, goal
vars == <<file, row, durable, log, remote, acked, pc, mode, crashes, promised, goal>>

(* here, kept: the directory entry in memory and on disk; size, synced: fragments; torn: half a fragment at the end; aside: set aside. *)
NoFile == [here |-> FALSE, kept |-> FALSE, size |-> 0, synced |-> 0, torn |-> FALSE, aside |-> FALSE]
NoRow == [st |-> "none", size |-> 0, counted |-> FALSE]
Shut == {"closed", "interrupted"}

(* A commit: at once in the catalog that is read, and durable now or later; a durable one carries all earlier ones. *)
Commit(c, r, kind) ==
    /\ row' = [row EXCEPT ![c] = r]
    /\ IF kind \in SyncKinds THEN durable' = row' /\ log' = <<>> ELSE durable' = durable /\ log' = Append(log, <<c, r>>)
Sync == /\ log # <<>> /\ durable' = row /\ log' = <<>> /\ UNCHANGED <<file, row, remote, acked, pc, mode, crashes, promised, goal>>
RECURSIVE Replay(_, _)
Replay(rows, commits) == IF commits = <<>> THEN rows ELSE Replay([rows EXCEPT ![commits[1][1]] = commits[1][2]], Tail(commits))

Init == /\ file = [c \in Clips |-> NoFile] /\ row = [c \in Clips |-> NoRow] /\ durable = row /\ log = <<>>
        /\ remote = [c \in Clips |-> 0] /\ acked = [c \in Clips |-> FALSE] /\ pc = [c \in Clips |-> "new"]
        /\ mode = "up" /\ crashes = 0 /\ promised = [c \in Clips |-> 0] /\ goal = <<>>

(* Recording one clip. *)
Create(c) == /\ mode = "up" /\ pc[c] = "new" /\ file' = [file EXCEPT ![c].here = TRUE] /\ pc' = [pc EXCEPT ![c] = "created"]
             /\ UNCHANGED <<row, durable, log, remote, acked, mode, crashes, promised, goal>>
SyncEntry(c, from, to) == /\ pc[c] = from /\ file' = [d \in Clips |-> [file[d] EXCEPT !.kept = file[d].here]] /\ pc' = [pc EXCEPT ![c] = to]
             /\ UNCHANGED <<row, durable, log, remote, acked, mode, crashes, promised, goal>>
Created(c) == mode = "up" /\ SyncEntry(c, "created", "entry")
Open(c) == /\ mode = "up" /\ pc[c] = "entry" /\ Commit(c, [NoRow EXCEPT !.st = "open"], "open") /\ pc' = [pc EXCEPT ![c] = "open"]
           /\ UNCHANGED <<file, remote, acked, mode, crashes, promised, goal>>
Write(c) == /\ mode = "up" /\ pc[c] = "open" /\ file[c].size < Full /\ file' = [file EXCEPT ![c].size = @ + 1]
            /\ UNCHANGED <<row, durable, log, remote, acked, pc, mode, crashes, promised, goal>>
SyncData(c) == /\ mode = "up" /\ pc[c] = "open" /\ file[c].synced < file[c].size /\ file' = [file EXCEPT ![c].synced = file[c].size]
               /\ promised' = [promised EXCEPT ![c] = file[c].size]
               /\ UNCHANGED <<row, durable, log, remote, acked, pc, mode, crashes, goal>>
Close(c) == /\ mode = "up" /\ pc[c] = "open" /\ file[c].size > 0 /\ file[c].synced = file[c].size
            /\ Commit(c, [st |-> "closed", size |-> file[c].size, counted |-> FALSE], "closed") /\ pc' = [pc EXCEPT ![c] = "rest"]
            /\ UNCHANGED <<file, remote, acked, mode, crashes, promised, goal>>

(* Uploading it. The object key makes a repeat harmless. *)
Put(c) == /\ mode = "up" /\ pc[c] = "rest" /\ row[c].st \in Shut /\ ~row[c].counted /\ row[c].size > 0 /\ remote' = [remote EXCEPT ![c] = row[c].size]
          /\ UNCHANGED <<file, row, durable, log, acked, pc, mode, crashes, promised, goal>>
Ack(c) == /\ mode = "up" /\ pc[c] = "rest" /\ row[c].st \in Shut /\ remote[c] # 0 /\ remote[c] = row[c].size /\ ~row[c].counted /\ ~acked[c]
          /\ acked' = [acked EXCEPT ![c] = TRUE] /\ UNCHANGED <<file, row, durable, log, remote, pc, mode, crashes, promised, goal>>
Count(c) == /\ mode = "up" /\ pc[c] = "rest" /\ acked[c] /\ Commit(c, [row[c] EXCEPT !.counted = TRUE], "counted") /\ acked' = [acked EXCEPT ![c] = FALSE]
            /\ UNCHANGED <<file, remote, pc, mode, crashes, promised, goal>>

(* Deleting it by a rule. *)
Mark(c) == /\ mode = "up" /\ pc[c] = "rest" /\ row[c].st \in Shut /\ ~acked[c] /\ (NeedUpload => row[c].counted)
           /\ Commit(c, [row[c] EXCEPT !.st = "deleting"], "deleting") /\ pc' = [pc EXCEPT ![c] = "marked"]
           /\ UNCHANGED <<file, remote, acked, mode, crashes, promised, goal>>
Unlink(c) == /\ pc[c] = "marked" /\ (durable[c].st = "deleting" \/ UnlinkEarly) /\ file' = [file EXCEPT ![c].here = FALSE]
             /\ pc' = [pc EXCEPT ![c] = "unlinked"] /\ UNCHANGED <<row, durable, log, remote, acked, mode, crashes, promised, goal>>
Unlinked(c) == SyncEntry(c, "unlinked", "gone")
Forget(c) == /\ pc[c] = "gone" /\ Commit(c, NoRow, "forget") /\ pc' = [pc EXCEPT ![c] = "end"]
             /\ UNCHANGED <<file, remote, acked, mode, crashes, promised, goal>>

(* What recovery makes of a clip, as a function of what is on disk. Recovery itself goes step by step below. *)
Recovered(f, r) ==
    CASE r.st = "deleting" -> <<FALSE, FALSE, 0, NoRow>>
      [] r.st = "open" /\ f.here /\ f.size = 0 -> <<FALSE, FALSE, 0, NoRow>>
      [] r.st = "open" /\ f.here /\ f.size > 0 -> <<TRUE, FALSE, f.size, [st |-> "interrupted", size |-> f.size, counted |-> FALSE]>>
      [] r.st = "open" /\ ~f.here -> <<FALSE, FALSE, 0, NoRow>>
      [] r.st \in Shut -> <<f.here, FALSE, f.size, r>>
      [] r.st = "none" -> <<f.here, f.here, IF f.here THEN f.size ELSE 0, NoRow>>
Outcome == [c \in Clips |-> Recovered(file[c], row[c])]

Crash ==
    /\ crashes < Crashes /\ crashes' = crashes + 1
    /\ \E n \in 0..Len(log) : durable' = Replay(durable, SubSeq(log, 1, n))
    /\ row' = durable' /\ log' = <<>>
    /\ \E entry \in [Clips -> BOOLEAN], size \in [Clips -> 0..Full], torn \in [Clips -> BOOLEAN] :
        /\ \A c \in Clips :
            LET f == file[c] IN
            /\ (f.here = f.kept => entry[c] = f.here)
            /\ (IF entry[c] THEN size[c] \in f.synced..f.size ELSE size[c] = 0)
            /\ (torn[c] => entry[c] /\ (f.torn \/ f.size > f.synced))
        /\ file' = [c \in Clips |-> [here |-> entry[c], kept |-> entry[c], size |-> size[c], synced |-> size[c], torn |-> torn[c],
                                     aside |-> file[c].aside]]
    /\ acked' = [c \in Clips |-> FALSE] /\ mode' = "recovering"
    /\ pc' = [c \in Clips |-> IF row'[c].st = "none" /\ ~file'[c].here THEN (IF pc[c] \in {"new", "created", "entry", "open"} /\ promised[c] = 0 THEN "new" ELSE "end")
                              ELSE "look"]
    /\ goal' = IF mode = "recovering" THEN goal ELSE [c \in Clips |-> Recovered(file'[c], row'[c])]
    /\ UNCHANGED <<remote, promised>>

(* Recovery: for each row and each file. *)
Look(c) ==
    /\ mode = "recovering" /\ pc[c] = "look"
    /\ CASE row[c].st = "deleting" -> pc' = [pc EXCEPT ![c] = "marked"] /\ UNCHANGED file
         [] row[c].st = "open" /\ file[c].here /\ file[c].size > 0 -> pc' = [pc EXCEPT ![c] = "cut"] /\ UNCHANGED file
         [] row[c].st = "open" /\ file[c].here /\ file[c].size = 0 -> pc' = [pc EXCEPT ![c] = "empty"] /\ UNCHANGED file
         [] row[c].st = "open" /\ ~file[c].here -> pc' = [pc EXCEPT ![c] = "gone"] /\ UNCHANGED file
         [] row[c].st \in Shut -> pc' = [pc EXCEPT ![c] = "rest"] /\ UNCHANGED file
         [] row[c].st = "none" -> pc' = [pc EXCEPT ![c] = "end"] /\ file' = [file EXCEPT ![c].aside = TRUE]
    /\ UNCHANGED <<row, durable, log, remote, acked, mode, crashes, promised, goal>>
Cut(c) == /\ mode = "recovering" /\ pc[c] = "cut" /\ file' = [file EXCEPT ![c].torn = FALSE, ![c].synced = file[c].size]
          /\ Commit(c, [st |-> "interrupted", size |-> file[c].size, counted |-> FALSE], "closed") /\ pc' = [pc EXCEPT ![c] = "rest"]
          /\ UNCHANGED <<remote, acked, mode, crashes, promised, goal>>
(* No whole fragment arrived: nothing to keep, so the clip goes the way of every deletion, by the rule "empty". *)
MarkEmpty(c) == /\ mode = "recovering" /\ pc[c] = "empty" /\ Commit(c, [row[c] EXCEPT !.st = "deleting"], "deleting")
          /\ pc' = [pc EXCEPT ![c] = "marked"] /\ UNCHANGED <<file, remote, acked, mode, crashes, promised, goal>>
Ready == /\ mode = "recovering" /\ \A c \in Clips : pc[c] \in {"rest", "end", "new"} /\ mode' = "up"
         /\ UNCHANGED <<file, row, durable, log, remote, acked, pc, crashes, promised, goal>>

Work(c) == \/ Create(c) \/ Created(c) \/ Open(c) \/ Write(c) \/ SyncData(c) \/ Close(c) \/ Put(c) \/ Ack(c) \/ Count(c) \/ Mark(c)
Clean(c) == Unlink(c) \/ Unlinked(c) \/ Forget(c) \/ Look(c) \/ Cut(c) \/ MarkEmpty(c)
AllDone == mode = "up" /\ (\A c \in Clips : pc[c] = "end") /\ UNCHANGED vars
Next == Crash \/ Sync \/ Ready \/ AllDone \/ \E c \in Clips : Work(c) \/ Clean(c)
Spec == Init /\ [][Next]_vars
(* F-disk: a step of recovery or deletion that can be done is done (the worker runs; file calls return or fail within bounds). *)
(* F-sync: a commit becomes durable at some time (the catalog is checkpointed). F-start: after a crash the service is started again (systemd Restart=). *)
Fair == Spec /\ WF_vars(Sync) /\ WF_vars(Ready) /\ \A c \in Clips : WF_vars(Clean(c))

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
D4_protectedIsKept == NeedUpload => \A c \in Clips, rows \in Catalogs : rows[c].st = "deleting" =>
    rows[c].size = 0 \/ (rows[c].counted /\ remote[c] = rows[c].size)
D5_recoveryIdempotent == mode = "recovering" => Outcome = goal
D5_recoveryArrives == [][mode = "recovering" /\ mode' = "up" => \A c \in Clips : row[c] = goal[c][4] /\ file[c].here = goal[c][1] /\ file[c].aside = goal[c][2]]_vars
D6_garbageGoes == \A c \in Clips : (row[c].st = "deleting") ~> (row[c].st # "deleting" /\ ~file[c].here)
D6_recoveryEnds == (mode = "recovering") ~> (mode = "up")
D7_countedIsUploaded == \A c \in Clips, rows \in Catalogs : rows[c].counted => remote[c] = rows[c].size /\ remote[c] > 0
D7_countedStays == [][\A c \in Clips : durable[c].counted => durable'[c].counted \/ durable'[c].st = "none"]_vars
(* What was said to be uploaded stays uploaded over a crash. *)
D7_countedSurvives == [][\A c \in Clips : row[c].counted => row'[c].counted \/ row'[c].st = "none"]_vars
(* S15: no key under two contents. *)
S15_oneContent == [][\A c \in Clips : remote[c] # 0 => remote'[c] = remote[c]]_vars
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
Reach_putTwice == \A c \in Clips : ~(mode = "up" /\ crashes = 1 /\ remote[c] > 0 /\ ~row[c].counted /\ row[c].st \in Shut)
Reach_emptyDeleted == \A c \in Clips : pc[c] # "empty"
Reach_counted == \A c \in Clips : ~row[c].counted
=============================================================================
