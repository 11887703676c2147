---- MODULE Stutter ----
(* A behaviour may stand still for ever in any state, unless fairness forbids it: having one way to go is no reason to go. *)
VARIABLE s
Init == s = "a"
Go == s = "a" /\ s' = "b"
On == s = "b" /\ s' = "c"
Back == s = "c" /\ s' = "b"
Next == Go \/ On \/ Back

Fair_none == Init /\ [][Next]_s
Fair_go == Fair_none /\ WF_s(Go)
Fair_on == Fair_none /\ WF_s(On)
Fair_goOn == Fair_none /\ WF_s(Go) /\ WF_s(On)
Fair_either == Fair_none /\ WF_s(Go \/ On)

Ask_goes == s = "a" ~> s = "b"
Ask_arrives == s = "a" ~> s = "c"
Ask_returns == []<>(s = "b")
====
