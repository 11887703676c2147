---- MODULE WeakStrong ----
(* Go is possible at a only, so the round a-b disables it again and again: weak fairness is satisfied by that, strong is not. *)
VARIABLE s
Init == s = "a"
X == s = "a" /\ s' = "b"
Y == s = "b" /\ s' = "a"
Go == s = "a" /\ s' = "c"
Next == X \/ Y \/ Go

Fair_none == Init /\ [][Next]_s
Fair_weak == Fair_none /\ WF_s(Go)
Fair_strong == Fair_none /\ SF_s(Go)
Fair_weakMoves == Fair_none /\ WF_s(Go) /\ WF_s(X) /\ WF_s(Y)
Fair_strongMoves == Fair_none /\ SF_s(Go) /\ WF_s(X) /\ WF_s(Y)

Ask_reaches == s = "a" ~> s = "c"
Ask_returns == s = "b" ~> s = "a"
====
