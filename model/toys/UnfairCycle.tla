---- MODULE UnfairCycle ----
(* The round a-b goes past Go, which is possible all the time: no violation once Go is treated fairly. *)
VARIABLE s
Init == s = "a"
X == s = "a" /\ s' = "b"
Y == s = "b" /\ s' = "a"
Go == s \in {"a", "b"} /\ s' = "c"
Next == X \/ Y \/ Go

Fair_none == Init /\ [][Next]_s
Fair_go == Fair_none /\ WF_s(Go)
Fair_round == Fair_none /\ WF_s(X) /\ WF_s(Y)
Fair_roundStrong == Fair_none /\ SF_s(X) /\ SF_s(Y)
Fair_next == Fair_none /\ WF_s(Next)

Ask_reaches == s = "a" ~> s = "c"
Ask_stays == <>[](s = "c")
Ask_visitsB == s = "a" ~> s = "b"
====
