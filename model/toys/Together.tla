---- MODULE Together ----
(* One round starves P, the other starves Q; a behaviour that is to be fair to both has to be so at the same time. *)
VARIABLE s
Init == s = "a"
L == (s = "a" /\ s' = "b") \/ (s = "b" /\ s' = "a")
R == (s = "a" /\ s' = "d") \/ (s = "d" /\ s' = "a")
P == s = "b" /\ s' = "c"
Q == s = "d" /\ s' = "c"
Next == L \/ R \/ P \/ Q

Fair_none == Init /\ [][Next]_s
Fair_p == Fair_none /\ SF_s(P) /\ WF_s(L \/ R)
Fair_q == Fair_none /\ SF_s(Q) /\ WF_s(L \/ R)
Fair_pq == Fair_none /\ SF_s(P) /\ SF_s(Q) /\ WF_s(L \/ R)
Fair_pqApart == Fair_none /\ SF_s(P) /\ SF_s(Q) /\ WF_s(L) /\ WF_s(R)
Fair_pqWeak == Fair_none /\ WF_s(P) /\ WF_s(Q) /\ WF_s(L \/ R)
Fair_either == Fair_none /\ SF_s(P \/ Q) /\ WF_s(L \/ R)

Ask_reaches == s = "a" ~> s = "c"
Ask_leavesA == s = "a" ~> s # "a"
====
