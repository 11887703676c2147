internal import Machines

// From when to when motion or a command counts, and the blind time after it.
extension TransportWorld {
    var windows: [Property<TransportWorld>] {
        [
            steps("T3 a window runs to its end, or until it is forgotten, and only what triggers begins one") { step in
                let begins =
                    step.event == .motion(.fits) && !step.isRefused || step.command != nil
                    || step.after.hearsWhatIsHeld && step.after.blindMs == nil
                return (step.after.window != nil) == (step.kept != nil || begins)
            },
            steps("T1 a window that motion begins has the times of the options") { step in
                guard step.kept == nil, step.command == nil, let window = step.after.window else { return true }
                guard let options = step.after.options else { return false }
                return window.limit.ms == options.maxMs && window.augmentationMs == options.augmentationMs
                    && window.blindMs == options.blindMs && !window.commanded
            },
            steps("T6 what is held prolongs at once what it begins, and a single motion does not") { step in
                guard step.kept == nil, step.command == nil, let window = step.after.window,
                    let options = step.after.options
                else { return true }
                let isLonger = step.after.held && options.augmentationMs > 0 && options.initialMs < options.maxMs
                return window.end.ms == options.initialMs + (isLonger ? options.augmentationMs : 0)
                    && window.previousEnd?.ms == (isLonger ? options.initialMs : nil)
            },
            steps("T6 where something is held, motion brings nothing new") { step in
                step.event != .motion(.fits) || !step.before.held || step.after == step.before
            },
            steps(
                restating: "T2 motion that counts prolongs a window once until the end before has passed, "
                    + "and nothing else does"
            ) { step in
                guard let kept = step.kept, step.command == nil, let window = step.after.window else { return true }
                let (end, previousEnd) = kept.prolonged(step.hears)
                return window.end == end && window.previousEnd == previousEnd
            },
            steps("T2 motion never makes a recording shorter, and makes it longer by A at most") { step in
                guard let kept = step.kept, step.command == nil, let window = step.after.window else { return true }
                return (kept.end.ms...kept.end.ms + kept.augmentationMs).contains(window.end.ms)
                    && (step.hears || window.end == kept.end)
            },
            steps("T5 a command makes a recording last for I at least, and no longer than it would have or M lets it") {
                step in
                guard let command = step.command, let window = step.after.window else { return step.command == nil }
                let (end, limit) = (step.kept?.end.ms ?? 0, step.kept?.limit.ms ?? 0)
                let most = max(command.initialMs, end) + (step.after.held ? window.augmentationMs : 0)
                return window.commanded && window.blindMs == command.blindMs
                    && (max(command.initialMs, end)...most).contains(window.end.ms)
                    && window.limit.ms == max(command.maxMs, limit)
                    && window.augmentationMs == max(command.augmentationMs, step.kept?.augmentationMs ?? 0)
            },
            steps("T2 a command changes nothing in when motion may make a recording longer again") { step in
                guard step.command != nil, !step.after.held, let window = step.after.window else { return true }
                return window.previousEnd == step.kept?.previousEnd
            },
            steps("T9 a window that goes on keeps the limit and the times that it began with") { step in
                guard let kept = step.kept, step.command == nil, let window = step.after.window else { return true }
                return window.limit == kept.limit && window.augmentationMs == kept.augmentationMs
                    && window.blindMs == kept.blindMs && window.commanded == kept.commanded
            },
            steps(
                restating: "T5 a command lifts a window to its own times, "
                    + "which are those of the options if it brings none"
            ) { step in
                guard let command = step.command else { return true }
                guard let window = step.after.window else { return false }
                let kept = step.kept
                var lifted = window
                lifted.end = max(Instant(ms: command.initialMs), kept?.end ?? Instant(ms: 0))
                lifted.limit = max(Instant(ms: command.maxMs), kept?.limit ?? Instant(ms: 0))
                lifted.augmentationMs = max(command.augmentationMs, kept?.augmentationMs ?? 0)
                lifted.previousEnd = kept?.previousEnd
                lifted.blindMs = command.blindMs
                lifted.commanded = true
                (lifted.end, lifted.previousEnd) = lifted.prolonged(step.after.hearsWhatIsHeld)
                return window == lifted
            },
        ]
    }

    var blindTime: [Property<TransportWorld>] {
        [
            steps("S5 blind time follows the end of a recording of motion by time alone, and lasts as it began") {
                step in
                guard let blindMs = step.after.blindMs, step.before.blindMs == nil else { return true }
                return (step.ends == [.quiet] || step.ends == [.limit]) && step.before.window?.commanded == false
                    && step.before.window?.blindMs == blindMs
            },
            steps("S5 it does follow it") { step in
                guard step.isDue, !step.isLast, let window = step.before.window, step.before.recording != nil,
                    !window.commanded, window.blindMs > 0
                else { return true }
                return step.after.blindMs == window.blindMs
            },
            steps("S5 blind time runs through all but a command and another kind of trigger, and no longer") { step in
                guard let blindMs = step.before.blindMs, !step.isLast else { return true }
                let isTaken = step.command != nil || step.isOfAnotherKind
                let leftMs = blindMs - step.elapsedMs
                return step.after.blindMs == (isTaken || leftMs <= 0 ? nil : leftMs)
            },
        ]
    }
}
