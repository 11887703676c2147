---- MODULE Begin ----
(* Several first states; one of them is in p and in q at once. A goal that is reached in the same state counts, one of the past
   does not, and the obligation comes back each time that p does. *)
VARIABLE s
Init == s \in {"a", "b", "f"}
Go == \/ s = "a" /\ s' = "c"
      \/ s = "b" /\ s' = "d"
Back == s = "d" /\ s' = "a"
Again == s = "c" /\ s' = "a"
Next == Go \/ Back \/ Again

Fair_none == Init /\ [][Next]_s
Fair_go == Fair_none /\ WF_s(Go)
Fair_next == Fair_none /\ WF_s(Next)

Ask_atOnce == s = "b" ~> s \in {"b", "c"}
Ask_both == s \in {"a", "b"} ~> s \in {"b", "c"}
Ask_past == s = "c" ~> s = "b"
Ask_empty == s = "nowhere" ~> s = "c"
Ask_fromAll == s \in {"a", "b", "f"} ~> s \in {"a", "f"}
Ask_again == []<>(s \in {"c", "f"})
====
