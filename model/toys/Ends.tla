---- MODULE Ends ----
(* An end is a state that stutters for ever, with or without a step onto itself: what is owed there stays owed, fair or not. *)
VARIABLE s
Init == s = "a"
Stop == s = "a" /\ s' = "b"
Sleep == s = "a" /\ s' = "c"
Snore == s = "c" /\ s' = "c"
Walk == (s = "a" /\ s' = "d") \/ (s = "d" /\ s' = "a")
Next == Stop \/ Sleep \/ Snore \/ Walk

Fair_none == Init /\ [][Next]_s
Fair_next == Fair_none /\ WF_s(Next)
Fair_ends == Fair_none /\ SF_s(Stop \/ Sleep) /\ WF_s(Walk)
Fair_snore == Fair_none /\ WF_s(Next) /\ SF_s(Snore)

Always_moves == [](ENABLED <<Next>>_s)
Ask_ends == s = "a" ~> s \in {"b", "c"}
Ask_wakes == s = "c" ~> s = "d"
Ask_walks == s = "b" ~> s = "d"
Always_neverB == [](s # "b")
====
