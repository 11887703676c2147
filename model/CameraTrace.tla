----------------------------- MODULE CameraTrace -----------------------------
(* The behaviour of Camera.tla along the records of a real daemon: docs/design/trace-validation.md. One tick is a millisecond.      *)
(* Record, Pieces and InForce come from the module Recorded, which model/trace writes. A piece is a stretch of one camera's         *)
(* records that begins with a state which is known whole: its first step, or a record with the whole state. Each behaviour is one   *)
(* piece; it is deterministic. A step of it is one change: the deadlines of one instant, or the input of a record. Each is printed. *)
EXTENDS Camera, Recorded

CONSTANTS Redials, Retries,     \* the waits before dialling and opening again, after the first, second ... failure
          Jitter                \* what a wait may be longer, in percent

VARIABLES piece, at,    \* the piece, and the record whose time passes
          left,         \* milliseconds until the instant of that record
          num           \* the numbers of dials, clips and events

-----------------------------------------------------------------------------
(* What the small worlds fix: CameraTrace.cfg puts these in the place of the definitions of Camera and Lib. *)
TraceTable == InForce
TraceLength(x) == P(x).length
TraceNumbers == [n \in Int |-> n]
Second == 1000
Forever == 2000000000
(* The jitter of a wait is free in the specification, up to what the trace names. A record tells the wait that was taken; one that *)
(* is out of these bounds is not taken over, so what follows from it differs.                                                      *)
Waited(n, waits, told) ==
    LET base == waits[Max(Min(n, Len(waits)), 1)]
    IN IF told >= base /\ told <= base + (base \div 100) * Jitter THEN told ELSE base
TraceRedial(n) == Waited(n, Redials, Record(at).redial)
TraceRetry(n) == Waited(n, Retries, Record(at).retry)

-----------------------------------------------------------------------------
(* Numbers: the answers of a record bear them, the specification has classes (README.md "Form"). open, closing: numbers of clips. *)
Class(n, last, now, other) ==
    IF n < 1 \/ n > last THEN "unknown" ELSE IF n = now THEN "cur" ELSE IF n = other THEN "hung" ELSE "late"
DialClass(n) == Class(n, num.dials, IF Linked(s) THEN num.dial ELSE 0, IF s.hang # None THEN num.hung ELSE 0)
ClipClass(n) ==
    IF \E k \in DOMAIN num.closing : num.closing[k] = n
    THEN IF num.closing[1] = n THEN "c1" ELSE "c2"
    ELSE Class(n, num.clips, IF s.rec # "idle" THEN num.open ELSE 0, 0)
Classed(e) ==
    IF e[1] \in LinkEvents THEN [e EXCEPT ![2] = DialClass(@)]
    ELSE IF e[1] \in RecEvents THEN [e EXCEPT ![2] = ClipClass(@)]
    ELSE e
(* An effect counts, in its order. *)
Counted(n, t) ==
    CASE t[1] = "dial" -> [n EXCEPT !.dials = @ + 1, !.dial = n.dials + 1]
      [] t[1] = "hangUp" -> [n EXCEPT !.hung = n.dial]
      [] t[1] = "openClip" -> [n EXCEPT !.clips = @ + 1, !.open = n.clips + 1]
      [] t[1] = "beginEvent" -> [n EXCEPT !.events = @ + 1]
      [] t[1] = "report" /\ t[2] = "clipEnded" -> [n EXCEPT !.closing = Append(@, n.open)]
      [] t[1] = "report" /\ t[2] = "closeOverdue" -> [n EXCEPT !.closing = Tail(@)]
      [] t[1] = "stopped" -> [dials |-> 0, dial |-> 0, hung |-> 0, clips |-> 0, open |-> 0, events |-> 0, closing |-> <<>>]
      [] OTHER -> n
RECURSIVE CountedAll(_, _)
CountedAll(n, fx) == IF fx = <<>> THEN n ELSE CountedAll(Counted(n, fx[1]), Tail(fx))
(* A clip that is closed, or that was given up and failed, is owed no longer. *)
Closed(n, e) ==
    IF e[1] \in {"closed", "openFailed", "keyframeMissing"} /\ e[2] \in {"c1", "c2"} /\ ~s.stopped /\ (e[1] = "closed" \/ s.closing[Which(e)].was = "opening")
    THEN [n EXCEPT !.closing = Without(@, Which(e))] ELSE n

-----------------------------------------------------------------------------
(* Time passes to the next deadline, or to the record's instant where none comes before it. *)
Ahead(k) == IF k = None \/ k = Never THEN {} ELSE {k}
Deadlines(x) ==
    UNION {Ahead(k) : k \in {x.lt, x.key, x.steady, x.hang, x.blind, x.rt}}
    \cup (IF Windowed(x) THEN Ahead(EndIn(x.win)) \cup (IF x.src # <<>> /\ x.win.pv > 0 THEN {x.win.pv} ELSE {}) ELSE {})
    \cup {x.src[k].t : k \in DOMAIN x.src} \cup {x.closing[k].t : k \in DOMAIN x.closing}
Earliest(set) == CHOOSE k \in set : \A j \in set : k <= j
DueIn == IF s.stopped \/ s.label = "-" \/ Deadlines(s) = {} THEN Forever ELSE Earliest(Deadlines(s))

(* What model/trace reads: the record, milliseconds until its instant, effects, the state and the numbers after them. *)
Said(e, rest, r, n) ==
    PrintT(<<"CHANGE", piece, at, rest, e, r.fx, r.s, n, MediaWanted(r.s)>>)

Piece == Pieces[piece]
TraceInit ==
    /\ piece \in DOMAIN Pieces
    /\ at = Pieces[piece].first
    /\ left = Record(Pieces[piece].first).after
    /\ s = Pieces[piece].state
    /\ num = Pieces[piece].num
    /\ clock = 0 /\ calm = "no"
(* The first step settles what was there before it. *)
Begins == s.label = "-"
BeginNext ==
    LET r == Begun(Later(s, left))
        n == CountedAll(num, r.fx)
    IN /\ s' = r.s /\ num' = n /\ left' = 0 /\ at' = at /\ Said("begin", 0, r, n)
DeadlineNext ==
    LET r == Due(Later(s, DueIn))
        n == CountedAll(num, r.fx)
    IN /\ s' = r.s /\ num' = n /\ left' = left - DueIn /\ at' = at /\ Said("due", left - DueIn, r, n)
RecordNext ==
    LET x == Later(s, left)
        e == Classed(Record(at).input)
        r == IF e[1] = "tick" THEN R(x, <<>>) ELSE Fact(x, e)
        n == CountedAll(Closed(num, e), r.fx)
    IN /\ s' = r.s /\ num' = n /\ Said(e[1], 0, r, n)
       /\ at' = at + 1
       /\ left' = IF at = Piece.last THEN 0 ELSE Record(at + 1).after
TraceNext ==
    /\ at <= Piece.last
    /\ IF Begins THEN BeginNext ELSE IF DueIn <= left THEN DeadlineNext ELSE RecordNext
    /\ UNCHANGED <<piece, clock, calm>>
=============================================================================
