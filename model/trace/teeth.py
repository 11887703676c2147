"""What the check must find: a trace is altered in one place each time, and the altered step must be named.

Where the digest of the whole step would tell the alteration by itself it is made anew, so that only the specification can: as somebody
would who wants the altered record to look right."""

import copy
import dataclasses
import json

import following
from digests import canonical, step_digest, word
from records import Machine

GAP = "a record is not there"
TOO_LONG = 1.21         # a wait with more than a fifth


def made_anew(step, said):
    """The step with the digest of what it says now, of the state and effects that were."""
    return dataclasses.replace(step, digest=step_digest(step.at, step.input, *said))


def another(word_):
    """A word of an effect whose last digit is another."""
    return word_[:-1] + ("0" if word_[-1] != "0" else "1")


def first(outcomes, wanted):
    """The first step that is wanted, with what the specification says of it: outcome, index, step, said."""
    for outcome in outcomes:
        for index, step in enumerate(outcome.machine.steps):
            said = outcome.said.get(step.seq)
            if said and index and wanted(step, said[1], outcome.machine.steps[index - 1]):
                return outcome, index, step, said
    return None


def has(effects, name):
    return any(text.startswith('{"%s":' % name) or text.startswith('{"report":{"_0":{"%s":' % name) for text in effects)


def a_fact(step, effects, before):
    return step.input.startswith('{"detected":') and has(effects, "beginEvent")


def fact(step, said):
    """The detection that began an event is one that no sensitivity but the highest notices, or was in no zone."""
    body = json.loads(step.input)
    body["detected"]["level"] = 10 if body["detected"]["level"] < 10 else 1
    return made_anew(dataclasses.replace(step, input=canonical(body)), said)


def kind_of_fact(step, said):
    """A clip was cut: it says that its stream changed."""
    body = json.loads(step.input)
    return made_anew(dataclasses.replace(step, input=canonical({"streamChanged": body["cut"]})), said)


def order(step, said):
    """One order is another."""
    index = next(i for i, w in enumerate(step.effects) if w[0] == "o")
    return dataclasses.replace(step, effects=step.effects[:index] + [another(step.effects[index])] + step.effects[index + 1:])


def without_report(step, said):
    """One report is not there."""
    index = next(i for i, w in enumerate(step.effects) if w[0] == "r")
    return dataclasses.replace(step, effects=step.effects[:index] + step.effects[index + 1:])


def moved(step, said):
    """The tick that ended an event came a second earlier: before the window was over."""
    return made_anew(dataclasses.replace(step, at=step.at - 1000), said)


def state(step, said):
    """The whole state has a clip that fails more often."""
    body = json.loads(step.state)
    body["recorder"]["failures"] += 1
    return dataclasses.replace(step, state=canonical(body))


def moment_of_state(step, said):
    """The whole state ends the silence a millisecond later."""
    body = json.loads(step.state)
    body["link"]["state"]["streaming"]["silence"] += 1
    return dataclasses.replace(step, state=canonical(body))


def digest(step, said):
    """Only the digest is another."""
    return dataclasses.replace(step, digest=another(step.digest))


def long_wait(step, said):
    """The link waits longer than a fifth more; its report, the state and all digests say so."""
    whole, effects = json.loads(said[0]), [json.loads(text) for text in said[1]]
    for effect in effects:
        link = effect.get("report", {}).get("_0", {}).get("link", {})
        if "retryMs" in link:
            more = int(link["retryMs"] * TOO_LONG) - link["retryMs"]
            link["retryMs"] += more
            whole["link"]["state"]["waiting"]["until"] += more
    texts = [canonical(effect) for effect in effects]
    return dataclasses.replace(step, effects=[word(text) for text in texts], digest=step_digest(step.at, step.input, canonical(whole), texts))


def answer(step, said):
    """An answer is of the order before."""
    body = json.loads(step.input)
    body["did"]["_0"] -= 1
    return made_anew(dataclasses.replace(step, input=canonical(body)), said)


def plan(step, said):
    """The provider tells an end of the plan that is a second later."""
    body = json.loads(step.input)
    body["loaded"]["_1"]["active"]["until"] += 1000
    return made_anew(dataclasses.replace(step, input=canonical(body)), said)


def without_order(step, said):
    """The first order is not there."""
    return dataclasses.replace(step, effects=step.effects[1:])


def without_fact(step, said):
    """What came did not come: time passed."""
    return made_anew(dataclasses.replace(step, input='{"tick":{}}'), said)


def longer(step, said):
    """A command asks for a second more at most."""
    body = json.loads(step.input)
    body["triggered"]["_0"]["maxMs"] += 1000
    return made_anew(dataclasses.replace(step, input=canonical(body)), said)


def recordings(step, said):
    """The whole state has one recording more."""
    body = json.loads(step.state)
    body["recordings"] += 1
    return dataclasses.replace(step, state=canonical(body))


def limit(step, said):
    """The whole state ends the window a millisecond later."""
    body = json.loads(step.state)
    body["phase"]["detected"]["_0"]["limit"] += 1
    return dataclasses.replace(step, state=canonical(body))


# What is altered in the steps of transports; as ALTERATIONS.
OF_TRANSPORTS = [
    ("a fact of a transport did not come", lambda s, fx, b: s.input.startswith('{"motion":') and has(fx, "begin"), without_fact, "orders and reports"),
    ("a command of a transport asks for more", lambda s, fx, b: s.input.startswith('{"triggered":{"_0":') and has(fx, "begin"), longer,
     "instant, input or state"),
    ("an order of a transport is another", lambda s, fx, b: has(fx, "begin"), order, "orders and reports"),
    ("an order of a transport is not there", lambda s, fx, b: has(fx, "end"), without_order, "orders and reports"),
    ("an instant of a transport comes before a deadline",
     lambda s, fx, b: s.input == '{"tick":{}}' and has(fx, "end") and s.at - b.at > 1000, moved, "orders and reports"),
    ("the whole state of a transport has another number", lambda s, fx, b: '"recordings":' in s.state, recordings, "whole state"),
    ("the whole state of a transport has another moment", lambda s, fx, b: '"recordings":' in s.state and '"detected":' in s.state, limit,
     "whole state"),
]

# Name, the step that is altered, how, and what must be said of it.
ALTERATIONS = [
    ("a fact is another", a_fact, fact, "orders and reports"),
    ("a fact is of another kind", lambda s, fx, b: s.input.startswith('{"cut":') and has(fx, "clipEnded"), kind_of_fact, "orders and reports"),
    ("an order is another", lambda s, fx, b: has(fx, "openClip"), order, "orders and reports"),
    ("a report is not there", lambda s, fx, b: has(fx, "eventEnded"), without_report, "orders and reports"),
    ("an instant comes before a deadline", lambda s, fx, b: s.input == '{"tick":{}}' and has(fx, "endEvent") and s.at - b.at > 1000, moved,
     "orders and reports"),
    ("the whole state has another number", lambda s, fx, b: '"recorder":' in s.state, state, "whole state"),
    ("the whole state has another moment", lambda s, fx, b: '"streaming":{' in s.state, moment_of_state, "whole state"),
    ("the digest is another", lambda s, fx, b: s.input.startswith('{"packets":'), digest, "instant, input or state"),
    ("an answer is of another order", lambda s, fx, b: s.input.startswith('{"did":') and has(fx, "previewing"), answer, "orders and reports"),
    ("a plan ends later", lambda s, fx, b: s.input.startswith('{"loaded":') and '"active"' in s.input and fx != [], plan, "instant, input or state"),
    ("a wait is longer than it may be", lambda s, fx, b: s.input.startswith('{"dialFailed":') and has(fx, "link"), long_wait, "orders and reports"),
    *OF_TRANSPORTS,
]


def stretch(machine, index):
    """The steps from the whole state before a step up to the step, as a machine of its own."""
    begin = max(i for i in range(index) if machine.steps[i].state)
    return Machine(machine.kind, machine.name, machine.run, copy.copy(machine.steps[begin:index + 1]))


def bite(outcomes):
    """Alters a trace that was checked, once for each alteration that it has a step for, and checks it again. Prints what was found; gives
    the names of what was found and of what was not."""
    altered = []
    for name, wanted, alter, must in ALTERATIONS:
        place = first(outcomes, wanted)
        if place:
            outcome, index, step, said = place
            copied = stretch(outcome.machine, index)
            copied.steps[-1] = alter(step, said)
            altered.append((name, must, step, copied))
    by_machine = {id(outcome.machine): outcome for outcome in following.check([copied for *_, copied in altered])}
    found, lost = gap(outcomes)
    for name, must, step, copied in altered:
        outcome = by_machine[id(copied)]
        told = outcome.differences
        named = len(told) == 1 and told[0].step.seq == step.seq and must in told[0].what and not outcome.gaps
        (found if named else lost).add(name)
        print(f"{'found' if named else 'NOT FOUND'}: {name}")
        for difference in told:
            print("\n".join("    " + line[:400] for line in difference.lines()))
    return found, lost


def gap(outcomes):
    """A record is taken out: it must be named as missing. A trace without a machine that has three steps and no gap has none for it."""
    machine = next((o.machine for o in outcomes if len(o.machine.steps) > 2 and not o.gaps), None)
    if not machine:
        return set(), set()
    copied = Machine(machine.kind, machine.name, machine.run, machine.steps[:1] + machine.steps[2:4])
    told = list(following.gaps(copied))
    fine = told == [f"step {machine.steps[1].seq} missing"]
    print(f"{'found' if fine else 'NOT FOUND'}: {GAP}\n    {machine.name}, {' '.join(told)}")
    return ({GAP}, set()) if fine else (set(), {GAP})
