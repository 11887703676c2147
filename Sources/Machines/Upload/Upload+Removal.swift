// How a job ends by order, and how what was sent is taken away again.
extension Upload {
    /// What a removal leads to, the weaker first.
    public enum Aim: String, Hashable, Sendable, Codable, CaseIterable {
        /// The user gave the job up, or its clip is gone, before it counted.
        case cancelled
        /// The retention of the plan is over.
        case purged
        /// A person deleted the clip, both copies.
        case deleted

        /// By which rule the object goes.
        public var rule: Rule {
            switch self {
            case .cancelled: .cancelled
            case .purged: .planRetention
            case .deleted: .deleted
            }
        }

        /// Where the job is when nothing is left there.
        var end: State {
            switch self {
            case .cancelled: .cancelled
            case .purged: .purged
            case .deleted: .deleted
            }
        }
    }

    /// An order to end, by the user, a rule or a person who deletes.
    mutating func remove(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        if let unfit = unfit(event) { return effects.append(unfit) }
        let asked: Aim = event == .purge ? .purged : event == .delete ? .deleted : .cancelled
        change(at: now, &effects) { $0.end(as: asked) }
    }

    /// What must be answered to an order to end that does not fit; nil if it does.
    private func unfit(_ event: Event) -> Effect? {
        switch (event, state) {
        case (.cancel, .done): .refused(.done)
        case (.cancel, .cancelled): .refused(.cancelled)
        case (.cancel, .purged), (.cancel, .deleted): .refused(.removed)
        case (.cancel, _) where state.phase == .removing: .refused(.removed)
        case (.purge, _) where state.phase == .removing: .ignored(.duplicate)
        case (.purge, _) where !sent: .ignored(.notNeeded)
        case (.delete, .deleted): .ignored(.duplicate)
        case (.delete, _) where state.phase == .removing && state.aim == .deleted: .ignored(.duplicate)
        case (.sourceGone, _) where !needsSource: .ignored(.notNeeded)
        default: nil
        }
    }

    /// The clip's file is still wanted: it is not there, or not wholly.
    private var needsSource: Bool {
        switch state {
        case .queued, .queuedWait, .put, .uploadFailed: true
        case .ack, .ackWait, .encoding, .encodingWait, .start, .run, .poll, .encodingFailed, .done, .removing,
            .removingWait, .discard, .removeFailed, .cancelled, .purged, .deleted:
            false
        }
    }

    /// Ends the job. What was sent is removed first, but for what counts when the job is only cancelled.
    private mutating func end(as asked: Aim) {
        switch state {
        case .removing: state = .removing(asked)
        case .removingWait(_, let until): state = .removingWait(asked, until: until)
        case .discard(let number, _, let until): state = .discard(number, asked, until: until)
        case .removeFailed(let aim): end(.removing(Aim.allCases.last { $0 == aim || $0 == asked } ?? aim))
        case .queued, .queuedWait, .put, .ack, .ackWait, .uploadFailed, .encoding, .encodingWait, .start, .run, .poll,
            .encodingFailed, .done, .cancelled, .purged, .deleted:
            if !sent || asked == .cancelled && counted { return end(asked.end) }
            counted = false
            end(.removing(asked))
        }
    }
}
