-------------------------- MODULE SubscriptionTrace --------------------------
(* The behaviour of Subscription.tla along the records of a real daemon, as CameraTrace.tla has it of a camera.    *)
EXTENDS Subscription, Recorded

VARIABLES piece, at,    \* the piece, and the record whose time passes
          left,         \* milliseconds until the instant of that record
          num           \* how many loads were ordered

(* What the small worlds fix: SubscriptionTrace.cfg puts it in the place of the definitions of Lib. *)
TraceNumbers == [n \in Int |-> n]
Forever == 2000000000

(* Numbers: the answers of a record bear them, the specification has classes (README.md "Form"). *)
Class(n) == IF s.ask # None /\ n = num.loads THEN "cur" ELSE IF n >= 1 /\ n <= num.loads THEN "late" ELSE "unknown"
Classed(e) == IF e[1] \in {"loaded", "loadFailed"} THEN [e EXCEPT ![2] = Class(@)] ELSE e
Counted(n, fx) == [loads |-> n.loads + CountName(fx, "load")]

Deadlines == ({s.until, s.ask, s.next} \ {None}) \cup (IF s.gone > 0 THEN {s.gone} ELSE {})
DueIn == IF s.stopped \/ Deadlines = {} THEN Forever ELSE CHOOSE k \in Deadlines : \A j \in Deadlines : k <= j

(* What model/trace reads: the record, milliseconds until its instant, by what, effects, state and numbers after them. *)
Said(cause, rest, r, n) == PrintT(<<"CHANGE", piece, at, rest, cause, r.fx, r.s, n, TRUE>>)

TraceInit ==
    /\ piece \in DOMAIN Pieces
    /\ at = Pieces[piece].first
    /\ left = Record(Pieces[piece].first).after
    /\ s = Pieces[piece].state
    /\ num = Pieces[piece].num
    /\ clock = 0
DeadlineNext ==
    LET r == Due(Later(s, DueIn), s.gone)
        n == Counted(num, r.fx)
    IN s' = r.s /\ num' = n /\ left' = left - DueIn /\ at' = at /\ Said("due", left - DueIn, r, n)
RecordNext ==
    LET x == Later(s, left)
        e == Classed(Record(at).input)
        r == IF e[1] = "tick" THEN R(x, <<>>) ELSE Apply(x, e)
        n == Counted(num, r.fx)
    IN /\ s' = r.s /\ num' = n /\ Said(e[1], 0, r, n)
       /\ at' = at + 1
       /\ left' = IF at = Pieces[piece].last THEN 0 ELSE Record(at + 1).after
TraceNext ==
    /\ at <= Pieces[piece].last
    /\ IF DueIn <= left THEN DeadlineNext ELSE RecordNext
    /\ UNCHANGED <<piece, clock>>
=============================================================================
