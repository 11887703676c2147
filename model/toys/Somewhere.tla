---- MODULE Somewhere ----
(* Alarm is possible everywhere in the round but at c: one state is enough for weak fairness. Ring is possible at c alone, and
   Rest lets the round avoid c. *)
VARIABLE s
Init == s = "a"
Step == \/ s = "a" /\ s' = "b"
        \/ s = "b" /\ s' = "c"
        \/ s = "c" /\ s' = "a"
Rest == s = "b" /\ s' = "a"
Alarm == s \in {"a", "b"} /\ s' = "e"
Ring == s = "c" /\ s' = "e"
Next == Step \/ Rest \/ Alarm \/ Ring

Fair_none == Init /\ [][Next]_s
Fair_alarm == Fair_none /\ WF_s(Alarm)
Fair_alarmStrong == Fair_none /\ SF_s(Alarm)
Fair_alarmRing == Fair_none /\ WF_s(Alarm) /\ SF_s(Ring)
Fair_ring == Fair_none /\ SF_s(Ring) /\ WF_s(Step)
Fair_step == Fair_none /\ SF_s(Step)

Ask_ends == s = "a" ~> s = "e"
Ask_visitsC == s = "a" ~> s \in {"c", "e"}
====
