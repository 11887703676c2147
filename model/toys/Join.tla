---- MODULE Join ----
(* Two ways join. Whoever carries "already seen" along with the first way that is found misses what the second one lacks. *)
VARIABLE s
Init == s = "a"
Left == s = "a" /\ s' = "b"
Right == s = "a" /\ s' = "c"
Meet == s \in {"b", "c"} /\ s' = "d"
Over == s = "d" /\ s' = "e"
Next == Left \/ Right \/ Meet \/ Over

Fair_none == Init /\ [][Next]_s
Fair_next == Fair_none /\ WF_s(Next)
Fair_left == Fair_none /\ WF_s(Next) /\ SF_s(Left)

Ask_visitsB == s = "a" ~> s = "b"
Ask_visitsC == s = "a" ~> s = "c"
Ask_visitsEither == s = "a" ~> s \in {"b", "c"}
Ask_joins == s = "a" ~> s = "d"
Ask_ends == s = "b" ~> s = "e"
Ask_bSeen == s = "d" ~> s = "b"
====
