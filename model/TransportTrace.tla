---------------------------- MODULE TransportTrace ----------------------------
(* The behaviour of Transport.tla along the records of a real daemon, as CameraTrace.tla has it of a camera: one tick is a millisecond. *)
(* The state has one part more, own: the time control that holds. model/trace says of a record's motion whether it fits the trigger that *)
(* holds, and of its modification whether the trigger is another one.                                                                  *)
EXTENDS Transport, Recorded

VARIABLES piece, at,    \* the piece, and the record whose time passes
          left,         \* milliseconds until the instant of that record
          num           \* how many recordings have begun; whether the first step has settled what was owed before it

(* What the small worlds fix: TransportTrace.cfg puts these in the place of the definitions of Transport and Lib. *)
TraceNumbers == [n \in Int |-> n]
Forever == 2000000000
TraceOwn(x) == x.own
TraceBrought(control) == Record(at).brought
TraceExpiry(n) == n

(* A time control holds from the record on that brings it. *)
Controlled(x, e) == IF e[1] = "modified" /\ x.ph # "over" THEN [x EXCEPT !.own = Record(at).own] ELSE x
Counted(n, fx) == [n EXCEPT !.recordings = @ + CountName(fx, "begin"), !.begun = TRUE]

Deadlines == {k \in {s.end, s.limit, s.next, s.until, s.exp} : k > 0 /\ k < Forever}
DueIn == IF Deadlines = {} THEN Forever ELSE CHOOSE k \in Deadlines : \A j \in Deadlines : k <= j

(* What model/trace reads: the record, milliseconds until its instant, by what, effects, state and numbers after them. *)
Said(cause, rest, r, n) == PrintT(<<"CHANGE", piece, at, rest, cause, r.fx, r.s, n, TRUE>>)

TraceInit ==
    /\ piece \in DOMAIN Pieces
    /\ at = Pieces[piece].first
    /\ left = Record(Pieces[piece].first).after
    /\ s = Pieces[piece].state
    /\ num = Pieces[piece].num
    /\ clock = 0
(* The first step settles what is owed at the start, and ends what is over by then. *)
BeginNext ==
    LET r == Then(Settle(s), Due)
        n == Counted(num, r.fx)
    IN s' = r.s /\ num' = n /\ left' = left /\ at' = at /\ Said("begin", left, r, n)
DeadlineNext ==
    LET r == Due(Later(s, DueIn))
        n == Counted(num, r.fx)
    IN s' = r.s /\ num' = n /\ left' = left - DueIn /\ at' = at /\ Said("due", left - DueIn, r, n)
RecordNext ==
    LET e == Record(at).input
        x == Controlled(Later(s, left), e)
        r == IF e[1] = "tick" THEN R(x, <<>>) ELSE Apply(x, e)
        n == Counted(num, r.fx)
    IN /\ s' = r.s /\ num' = n /\ Said(e[1], 0, r, n)
       /\ at' = at + 1
       /\ left' = IF at = Pieces[piece].last THEN 0 ELSE Record(at + 1).after
TraceNext ==
    /\ at <= Pieces[piece].last
    /\ IF ~num.begun THEN BeginNext ELSE IF DueIn <= left THEN DeadlineNext ELSE RecordNext
    /\ UNCHANGED <<piece, clock>>
=============================================================================
