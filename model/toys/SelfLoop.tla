---- MODULE SelfLoop ----
(* A step that changes nothing satisfies no fairness, and an action that has only such steps is never enabled in its sense.
   Go loops at a, or leads to b; Spin only loops. *)
VARIABLE s
Init == s = "a"
Spin == s = "a" /\ s' = "a"
Go == s = "a" /\ s' \in {"a", "b"}
Leave == s = "a" /\ s' = "c"
Hold == s = "b" /\ s' = "b"
Next == Spin \/ Go \/ Leave \/ Hold

Fair_none == Init /\ [][Next]_s
Fair_spin == Fair_none /\ WF_s(Spin)
Fair_spinStrong == Fair_none /\ SF_s(Spin)
Fair_go == Fair_none /\ WF_s(Go)
Fair_goStrong == Fair_none /\ SF_s(Go)
Fair_leaveHold == Fair_none /\ WF_s(Leave) /\ SF_s(Hold)

Ask_leaves == s = "a" ~> s # "a"
Ask_reachesB == s = "a" ~> s = "b"
Always_moves == [](ENABLED <<Next>>_s)
====
