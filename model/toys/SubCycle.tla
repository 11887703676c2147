---- MODULE SubCycle ----
(* The component {a, b, d} as a whole is fair to Back and to Down, but a behaviour may stay in its part a-b. Judging the whole
   component misses some violations and invents others. *)
VARIABLE s
Init == s = "a"
X == s = "a" /\ s' = "b"
Y == s = "b" /\ s' = "a"
Down == s = "b" /\ s' = "d"
Back == s = "d" /\ s' = "a"
Go == s = "d" /\ s' = "c"
Next == X \/ Y \/ Down \/ Back \/ Go

Fair_none == Init /\ [][Next]_s
Fair_go == Fair_none /\ SF_s(Go)
Fair_back == Fair_none /\ SF_s(Back)
Fair_down == Fair_none /\ SF_s(Down) /\ WF_s(X)
Fair_downGo == Fair_none /\ SF_s(Down) /\ SF_s(Go) /\ WF_s(X)
Fair_downGoWeak == Fair_none /\ SF_s(Down) /\ WF_s(Go) /\ WF_s(X)
Fair_all == Fair_none /\ WF_s(X) /\ SF_s(Y) /\ SF_s(Down) /\ SF_s(Back) /\ SF_s(Go)

Ask_reaches == s = "a" ~> s = "c"
Ask_visitsD == s = "a" ~> s = "d"
Ask_leavesD == s = "d" ~> s # "d"
====
