----------------------------- MODULE SessionTrace -----------------------------
(* The behaviour of Session.tla along the records of a real daemon, as CameraTrace.tla has it of a camera: one tick is a millisecond, *)
(* and each behaviour is one piece of a session's records behind a state that is known whole.                                        *)
EXTENDS Session, Recorded

VARIABLES piece, at,    \* the piece, and the record whose time passes
          left,         \* milliseconds until the instant of that record
          num           \* the numbers of orders and of starts of playback

(* What the small worlds fix: SessionTrace.cfg puts it in the place of the definitions of Lib. *)
TraceNumbers == [n \in Int |-> n]
Forever == 2000000000

(* Numbers: the answers of a record bear them, the specification has classes (README.md "Form"). *)
Class(n, last, current) == IF current /\ n = last THEN "cur" ELSE IF n > last THEN "unknown" ELSE "late"
Classed(e) ==
    CASE e[1] \in {"did", "failed"} -> [e EXCEPT ![2] = Class(@, num.orders, s.ask # "-")]
      [] e[1] = "clipEnded" -> [e EXCEPT ![2] = Class(@, num.starts, s.phase \in {"playing", "paused"})]
      [] OTHER -> e
Orders == {"connect", "startPreview", "startPlayback", "pause", "resume", "setDefinition", "unmute", "talkOn", "recordOn", "listDays", "listClips"}
Counted(n, fx) ==
    LET ordered == Cardinality({i \in DOMAIN fx : fx[i][1] \in Orders})
    IN [orders |-> n.orders + ordered, starts |-> n.starts + CountName(fx, "startPlayback")]

DueIn == LET bounds == {s.bound, s.left} \ {None} IN IF bounds = {} THEN Forever ELSE CHOOSE k \in bounds : \A j \in bounds : k <= j

(* What model/trace reads: the record, milliseconds until its instant, by what, effects, state and numbers after them. *)
Said(cause, rest, r, n) == PrintT(<<"CHANGE", piece, at, rest, cause, r.fx, r.s, n, TRUE>>)

TraceInit ==
    /\ piece \in DOMAIN Pieces
    /\ at = Pieces[piece].first
    /\ left = Record(Pieces[piece].first).after
    /\ s = Pieces[piece].state
    /\ num = Pieces[piece].num
    /\ clock = 0 /\ calm = FALSE
DeadlineNext ==
    LET r == Due(Later(s, DueIn))
        n == Counted(num, r.fx)
    IN s' = r.s /\ num' = n /\ left' = left - DueIn /\ at' = at /\ Said("due", left - DueIn, r, n)
RecordNext ==
    LET x == Later(s, left)
        e == Classed(Record(at).input)
        r == IF e[1] = "tick" THEN R(x, <<>>) ELSE Step(x, e)
        n == Counted(num, r.fx)
    IN /\ s' = r.s /\ num' = n /\ Said(e[1], 0, r, n)
       /\ at' = at + 1
       /\ left' = IF at = Pieces[piece].last THEN 0 ELSE Record(at + 1).after
TraceNext ==
    /\ at <= Pieces[piece].last
    /\ IF DueIn <= left THEN DeadlineNext ELSE RecordNext
    /\ UNCHANGED <<piece, clock, calm>>
=============================================================================
