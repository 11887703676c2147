---- MODULE Watchdog ----
(* A dial and a watchdog that may fire at any moment: without time it may win every race, so only a strong assumption on the
   answer leads anywhere. The tries saturate. *)
EXTENDS Naturals
VARIABLES phase, tries
vars == <<phase, tries>>
Init == phase = "idle" /\ tries = 0
Dial == phase = "idle" /\ phase' = "dialing" /\ UNCHANGED tries
Fire == phase = "dialing" /\ phase' = "idle" /\ tries' = IF tries < 2 THEN tries + 1 ELSE 2
Answer == phase = "dialing" /\ phase' = "ready" /\ tries' = 0
Lose == phase = "ready" /\ phase' = "idle" /\ UNCHANGED tries
Next == Dial \/ Fire \/ Answer \/ Lose

Fair_none == Init /\ [][Next]_vars
Fair_dial == Fair_none /\ WF_vars(Dial)
Fair_answer == Fair_none /\ WF_vars(Dial) /\ WF_vars(Answer)
Fair_answerStrong == Fair_none /\ WF_vars(Dial) /\ SF_vars(Answer)
Fair_answerOnly == Fair_none /\ SF_vars(Answer)
Fair_next == Fair_none /\ WF_vars(Next)

Ask_ready == phase = "idle" ~> phase = "ready"
Ask_settles == phase = "dialing" ~> phase # "dialing"
Ask_again == []<>(phase = "ready")
Always_triesGrow == [][tries' >= tries \/ phase' = "ready"]_vars
Always_triesFew == [](tries < 2)
====
