---- MODULE Nested ----
(* Two strong assumptions. The way out P is possible at 3, so a behaviour that avoids P avoids 3; without 3 the round 0-1-2 falls
   apart from 4-5, and Q is possible at 4. Only a part of a part is left: 0-1, or nothing. *)
EXTENDS Naturals
VARIABLE s
Init == s = 0
Round == \/ s = 0 /\ s' = 1
         \/ s = 1 /\ s' = 2
         \/ s = 2 /\ s' = 3
         \/ s = 3 /\ s' = 4
         \/ s = 4 /\ s' = 5
         \/ s = 5 /\ s' = 0
Short == \/ s = 1 /\ s' = 0
         \/ s = 5 /\ s' = 4
P == s = 3 /\ s' = 6
Q == s = 4 /\ s' = 6
R == s = 0 /\ s' = 6
Next == Round \/ Short \/ P \/ Q \/ R

Fair_none == Init /\ [][Next]_s
Fair_p == Fair_none /\ SF_s(P) /\ WF_s(Round)
Fair_pq == Fair_none /\ SF_s(P) /\ SF_s(Q) /\ WF_s(Round)
Fair_pqr == Fair_none /\ SF_s(P) /\ SF_s(Q) /\ SF_s(R) /\ WF_s(Round)
Fair_pqrWeak == Fair_none /\ WF_s(P) /\ WF_s(Q) /\ WF_s(R) /\ WF_s(Round)
Fair_qr == Fair_none /\ SF_s(Q) /\ SF_s(R) /\ WF_s(Round)
Fair_roundR == Fair_none /\ SF_s(Round) /\ SF_s(R)

Ask_ends == s = 0 ~> s = 6
Ask_endsFrom4 == s = 4 ~> s = 6
Ask_visits4 == s = 0 ~> s \in {4, 6}
====
