/// What to delete now, and by which rule. A pure function of what is stored, what the rules say, and the time.
///
/// The order of the rules is fixed, so that each deletion names the first rule that asked for it: age, then each
/// camera's size, then the site's size, then free space. Within a rule the oldest goes first. It is given only clips that may
/// be deleted; those that are protected or still written are never among them, but their bytes count. A clip's age is that
/// of its end.
public struct RetentionPlan: Hashable, Sendable {
    /// Which retention rule a clip falls under.
    public enum MediaClass: String, Hashable, Sendable, Codable, CaseIterable {
        /// Recorded because of an event.
        case event
        /// Recorded in continuous mode.
        case continuous
    }

    /// The rule that asks for a deletion (S12).
    public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
        /// Continuous media of the camera is `continuousMs` old or older.
        case continuousAge
        /// Event media of the camera is `eventsMs` old or older.
        case eventsAge
        /// The camera's media exceeds its `maxBytes`.
        case cameraSize
        /// All media exceeds the site's bytes.
        case siteSize
        /// Less is free than the reserve.
        case freeSpace
    }

    /// A clip that is stored and closed, and that no one protects.
    public struct Clip: Hashable, Sendable {
        /// Its id.
        public let id: Int64
        /// Its camera.
        public let camera: String
        /// Which rule it falls under.
        public let mediaClass: MediaClass
        /// First frame, UTC epoch milliseconds.
        public let startMs: Int64
        /// End of the last frame, UTC epoch milliseconds.
        public let endMs: Int64
        /// Size of its files, 0 or more.
        public let bytes: Int64

        /// A clip.
        public init(
            id: Int64, camera: String, mediaClass: MediaClass, startMs: Int64, endMs: Int64, bytes: Int64
        ) {
            self.id = id
            self.camera = camera
            self.mediaClass = mediaClass
            self.startMs = startMs
            self.endMs = endMs
            self.bytes = bytes
        }
    }

    /// What the plan is made from.
    public struct Input: Hashable, Sendable {
        /// Clips that may be deleted, oldest first; a window of the oldest is enough if `storedBytes` is given and
        /// `truncated` names the cameras that have more.
        public var clips: [Clip]
        /// The cameras of which more clips may be deleted than `clips` holds, each with how many of the first clips are older
        /// than all that is missing of it.
        public var truncated: [String: Int]
        /// Bytes of each camera's clips that no rule may delete; needed of those that are not `truncated`.
        public var protectedBytes: [String: Int64]
        /// The rules of each camera; a camera without rules is only subject to the site's.
        public var rules: [String: RetentionRules]
        /// Bytes stored by each camera: clips outside the window, protected ones and those that are written included; a
        /// camera that is not named stores what its clips and its protected bytes add up to.
        public var storedBytes: [String: Int64]
        /// The most that all media may take, in bytes; nil for no limit.
        public var siteMaxBytes: Int64?
        /// Free bytes on the device; nil if not known, then the reserve is not enforced.
        public var freeBytes: Int64?
        /// Bytes that should be free.
        public var reserveBytes: Int64
        /// The time, UTC epoch milliseconds.
        public var nowMs: Int64

        /// An input.
        public init(
            clips: [Clip], rules: [String: RetentionRules], storedBytes: [String: Int64] = [:],
            truncated: [String: Int] = [:], protectedBytes: [String: Int64] = [:],
            siteMaxBytes: Int64? = nil, freeBytes: Int64? = nil, reserveBytes: Int64 = 0, nowMs: Int64
        ) {
            self.clips = clips
            self.truncated = truncated
            self.protectedBytes = protectedBytes
            self.rules = rules
            self.storedBytes = storedBytes
            self.siteMaxBytes = siteMaxBytes
            self.freeBytes = freeBytes
            self.reserveBytes = reserveBytes
            self.nowMs = nowMs
        }
    }

    /// One clip to delete, and by which rule.
    public struct Deletion: Hashable, Sendable {
        /// The clip.
        public let id: Int64
        /// The rule.
        public let rule: Rule
    }

    /// A limit that cannot be kept by deleting what may be deleted.
    public struct Unmet: Hashable, Sendable {
        /// Why nothing more can be freed.
        public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
            /// Every closed clip that is left is protected, or waits for its upload.
            case everythingProtected
            /// No closed clip is left.
            case nothingStored
            /// Clips are left outside the window that was given: carry the deletions out and plan again.
            case beyondWindow
        }

        /// The limit.
        public let rule: Rule
        /// The camera, for `cameraSize`.
        public let camera: String?
        /// By how many bytes it is missed.
        public let missingBytes: Int64
        /// Why.
        public let reason: Reason
    }

    /// The deletions in the order in which they are to be done, each clip at most once.
    public private(set) var deletions: [Deletion] = []
    /// The limits that stay unmet.
    public private(set) var unmet: [Unmet] = []
    /// What the deletions free, in bytes.
    public private(set) var freedBytes: Int64 = 0

    /// Makes the plan. Any input is taken; one whose clips are not oldest first gives deletions in its order.
    public init(_ input: Input) {
        var ledger = Ledger(input)
        ledger.deleteByAge(input)
        // A rule is asked when those before it have all that they ask for. Only the reserve does not wait for the next plan.
        let ageing = ledger.ageing
        for camera in ledger.cameras where !ageing.contains(camera) {
            if let limit = input.rules[camera]?.maxBytes {
                ledger.free(ledger.stored(camera).subtractingClamped(limit), by: .cameraSize, camera: camera)
            }
        }
        let isSettled = ageing.isEmpty && !ledger.unmet.contains { $0.reason == .beyondWindow }
        if isSettled, let limit = input.siteMaxBytes {
            ledger.free(ledger.storedTotal.subtractingClamped(limit), by: .siteSize)
        }
        if let free = input.freeBytes {
            let missing = input.reserveBytes.subtractingClamped(free).subtractingClamped(ledger.freed)
            ledger.free(missing, by: .freeSpace)
        }
        deletions = ledger.deletions
        unmet = ledger.unmet
        freedBytes = ledger.freed
    }
}

extension RetentionPlan {
    /// The running sums while a plan is made.
    private struct Ledger {
        let clips: [Clip]
        let truncated: [String: Int]
        let protectedBytes: [String: Int64]
        var gone: [Bool]
        var perCamera: [String: Int64] = [:]
        let cameras: [String]
        var deletions: [Deletion] = []
        var unmet: [Unmet] = []
        var freed: Int64 = 0

        init(_ input: Input) {
            clips = input.clips
            (truncated, protectedBytes) = (input.truncated, input.protectedBytes)
            gone = [Bool](repeating: false, count: input.clips.count)
            perCamera.merge(input.clips.map { ($0.camera, $0.bytes) }) { $0.addingClamped($1) }
            perCamera.merge(input.protectedBytes) { $0.addingClamped($1) }
            perCamera.merge(input.storedBytes) { $1 }
            cameras = perCamera.keys.sorted()
        }

        /// In a fixed order, so that saturation cannot depend on hashing.
        var storedTotal: Int64 { cameras.reduce(0) { $0.addingClamped(stored($1)) } }

        func stored(_ camera: String) -> Int64 { perCamera[camera] ?? 0 }

        mutating func deleteByAge(_ input: Input) {
            for index in clips.indices {
                let clip = clips[index]
                let rules = input.rules[clip.camera]
                let (limit, rule): (Int64?, Rule) =
                    switch clip.mediaClass {
                    case .continuous: (rules?.continuousMs, .continuousAge)
                    case .event: (rules?.eventsMs, .eventsAge)
                    }
                if let limit, input.nowMs.subtractingClamped(clip.endMs) >= limit { delete(index, by: rule) }
            }
        }

        /// The cameras of which more may be too old than is here: the newest of a class is.
        var ageing: Set<String> {
            var newest: [MediaClass: [String: Bool]] = [:]
            for (clip, isGone) in zip(clips, gone) where truncated[clip.camera] != nil {
                newest[clip.mediaClass, default: [:]][clip.camera] = isGone
            }
            return Set(newest.values.flatMap { $0.filter(\.value).keys })
        }

        /// Deletes the oldest until `missing` bytes are freed, or says why that cannot be.
        mutating func free(_ missing: Int64, by rule: Rule, camera: String? = nil) {
            var missing = missing
            let end = camera.map { truncated[$0] } ?? truncated.values.min()
            for index in clips.indices where missing > 0 && !gone[index] && clips[index].bytes > 0 {
                // None goes for want of room while one that is missing here may be older.
                if index >= end ?? .max { break }
                if let camera, clips[index].camera != camera { continue }
                delete(index, by: rule)
                missing = missing.subtractingClamped(clips[index].bytes)
            }
            guard missing > 0 else { return }
            let isMore = camera.map { truncated[$0] != nil } ?? !truncated.isEmpty
            let isProtected = protectedBytes.contains { $0.value > 0 && (camera == nil || $0.key == camera) }
            let reason: Unmet.Reason = isMore ? .beyondWindow : isProtected ? .everythingProtected : .nothingStored
            unmet.append(Unmet(rule: rule, camera: camera, missingBytes: missing, reason: reason))
        }

        private mutating func delete(_ index: Int, by rule: Rule) {
            let clip = clips[index]
            gone[index] = true
            deletions.append(Deletion(id: clip.id, rule: rule))
            freed = freed.addingClamped(clip.bytes)
            perCamera[clip.camera] = stored(clip.camera).subtractingClamped(clip.bytes)
        }
    }
}
