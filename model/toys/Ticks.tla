---- MODULE Ticks ----
(* The same with time: the watchdog has two ticks, and an answer is owed after one (Soon) or two (Late); no tick passes while it is
   overdue. An answer that is owed soon comes under weak fairness alone; late ones may lose every race. *)
EXTENDS Naturals
VARIABLES phase, left, owed
vars == <<phase, left, owed>>
Init == phase = "idle" /\ left = 0 /\ owed = 0
Dial == phase = "idle" /\ phase' = "dialing" /\ left' = 2 /\ owed' \in {1, 2}
Tick == phase = "dialing" /\ owed > 0 /\ left > 0 /\ left' = left - 1 /\ owed' = owed - 1 /\ UNCHANGED phase
Fire == phase = "dialing" /\ left = 0 /\ phase' = "idle" /\ owed' = 0 /\ UNCHANGED left
Answer == phase = "dialing" /\ left > 0 /\ phase' = "ready" /\ left' = 0 /\ owed' = 0
Lose == phase = "ready" /\ phase' = "idle" /\ UNCHANGED <<left, owed>>
Soon == Dial /\ owed' = 1
Late == Dial /\ owed' = 2
Next == Dial \/ Tick \/ Fire \/ Answer \/ Lose

Fair_none == Init /\ [][Next]_vars
Fair_answer == Fair_none /\ WF_vars(Dial) /\ WF_vars(Answer)
Fair_soon == Fair_none /\ WF_vars(Dial) /\ WF_vars(Answer) /\ WF_vars(Tick) /\ WF_vars(Fire) /\ SF_vars(Soon)
Fair_late == Fair_none /\ WF_vars(Dial) /\ WF_vars(Answer) /\ WF_vars(Tick) /\ WF_vars(Fire) /\ SF_vars(Late)
Fair_ticks == Fair_none /\ WF_vars(Tick) /\ WF_vars(Fire)
Fair_next == Fair_none /\ WF_vars(Next)

Ask_ready == phase = "idle" ~> phase = "ready"
Ask_settles == phase = "dialing" ~> phase # "dialing"
Always_fires == [](phase = "idle" \/ left > 0)
====
