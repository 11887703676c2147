---- MODULE Way ----
(* "From everywhere there is a way" is no formula of this logic, but where each single step is treated with strong fairness it
   is the same as "again and again". The pit is a trap for some of the goals. *)
VARIABLE s
Init == s = "home"
Out == s = "home" /\ s' = "out"
Home == s = "out" /\ s' = "home"
Fall == s = "out" /\ s' = "pit"
Dig == s = "pit" /\ s' = "deep"
Climb == s = "deep" /\ s' = "pit"
Next == Out \/ Home \/ Fall \/ Dig \/ Climb

Fair_none == Init /\ [][Next]_s
Fair_each == Fair_none /\ SF_s(Out) /\ SF_s(Home) /\ SF_s(Fall) /\ SF_s(Dig) /\ SF_s(Climb)
Fair_weak == Fair_none /\ WF_s(Next)

Ask_home == []<>(s = "home")
Ask_deep == []<>(s = "deep")
Ask_rim == []<>(s \in {"out", "pit"})
====
