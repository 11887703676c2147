-------------------------------- MODULE Lib --------------------------------
(* What all models share: remaining times, texts, and the form of a step.   *)
(*                                                                          *)
(* Time is kept modulo translation: a deadline is the number of ticks that  *)
(* remain until it has passed, or None. A tick takes one from every         *)
(* deadline and applies what is then due (0 remains), in the fixed order of *)
(* the machine, before anything else happens: comparison is inclusive and   *)
(* nothing that is due waits (urgency).                                     *)
(*                                                                          *)
(* Events and effects are tuples of strings: a name and its arguments.      *)
EXTENDS Integers, Sequences, FiniteSets, TLC

None == -1
(* A deadline that never comes: a bound that a configuration leaves out. *)
Never == 99

(* The result of a step: the next state and the ordered effects. *)
R(st, fx) == [s |-> st, fx |-> fx]
Ignored(st, why) == R(st, <<<<"ignored", why>>>>)

(* Appends effects to a result. *)
Also(r, fx) == [r EXCEPT !.fx = @ \o fx]
(* Applies f to the state of a result and appends its effects. *)
Then(r, f(_)) == LET q == f(r.s) IN [s |-> q.s, fx |-> r.fx \o q.fx]

When(c, q) == IF c THEN q ELSE <<>>

DownBy(k, n) == IF k <= 0 \/ k = Never THEN k ELSE IF k > n THEN k - n ELSE 0
Down(k) == DownBy(k, 1)
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b

Str(n) == ToString(n)
NumberOf == [t \in {ToString(i) : i \in 0..99} |-> CHOOSE i \in 0..99 : ToString(i) = t]
Left(k) == IF k = None THEN "-" ELSE IF k = Never THEN "*" ELSE ToString(k)
Flag(b) == IF b THEN "1" ELSE "0"

RECURSIVE JoinBy(_, _)
JoinBy(q, sep) == IF q = <<>> THEN "" ELSE IF Len(q) = 1 THEN q[1] ELSE q[1] \o sep \o JoinBy(Tail(q), sep)

(* One field of a state; a field that has its resting value is left out. *)
Field(name, value, resting) == IF value = resting THEN "" ELSE " " \o name \o "=" \o value

(* name or name(a,b) *)
TermText(t) == IF Len(t) = 1 THEN t[1] ELSE t[1] \o "(" \o JoinBy(Tail(t), ",") \o ")"
RECURSIVE TermTexts(_)
TermTexts(q) == IF q = <<>> THEN <<>> ELSE <<TermText(q[1])>> \o TermTexts(Tail(q))
EffectsText(q) == IF q = <<>> THEN "-" ELSE JoinBy(TermTexts(q), "; ")

(* state | event -> state | effects *)
EdgeText(from, e, to, fx) == from \o " | " \o TermText(e) \o " -> " \o to \o " | " \o EffectsText(fx)

Has(fx, t) == \E i \in 1..Len(fx) : fx[i] = t
HasName(fx, n) == \E i \in 1..Len(fx) : fx[i][1] = n
CountName(fx, n) == Cardinality({i \in 1..Len(fx) : fx[i][1] = n})
FirstName(fx, n) == CHOOSE i \in 1..Len(fx) : fx[i][1] = n /\ \A j \in 1..(i - 1) : fx[j][1] # n
IsRefusal(fx) == Len(fx) = 1 /\ fx[1][1] \in {"ignored", "refused"}
=============================================================================
