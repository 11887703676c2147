internal import Ingest
internal import Machines
internal import Server

// What depends on the camera, and the words of refusals.
extension TransportCheck {
    /// The streams by number: the camera has one of each, 0. What is left to the daemon is chosen.
    func streams(_ options: inout TransportOptions) throws {
        // Where streams are named by number alone one name is given for all: the picture has it, else the sound.
        let name = options.containerOptions?.cmafContainerOptions?.trackName
        if let id = options.videoStreamID {
            options.videoStreams = [TransportStream(name: name ?? "video", id: Self.number(id))]
        }
        if let id = options.audioStreamID {
            let own = options.videoStreamID == nil ? name : nil
            options.audioStreams = [TransportStream(name: own ?? "audio", id: Self.number(id))]
        }
        (options.videoStreamID, options.audioStreamID) = (nil, nil)
        for list in [options.videoStreams ?? [], options.audioStreams ?? []] {
            if Set(list.map(\.name)).count < list.count || Set(list.map(\.id)).count < list.count {
                throw refuse(.conflict, "DuplicateStreamValues", "a stream is named twice", "name each once")
            }
        }
        let names = ((options.videoStreams ?? []) + (options.audioStreams ?? [])).map(\.name)
        if options.url != nil, let other = names.first(where: { !IngestSession.isName($0) }) {
            throw constraint(
                "the track name \(other) cannot be part of an address",
                "take letters, digits, hyphens, underscores and full stops, with no full stop first")
        }
        if let video = options.videoStreams?.first(where: { $0.id != 0 }) {
            throw refuse(
                .unprocessable, "InvalidStream", "there is no video stream \(video.id)", "take 0, the main stream")
        }
        guard options.videoStreams == nil || facts.hasVideo else {
            throw refuse(
                .conflict, "INVALID_IN_STATE", "no video of the camera was seen",
                "look why it sends none: vigil state \(camera)")
        }
        guard let audio = options.audioStreams else { return }
        if let other = audio.first(where: { $0.id != 0 }) {
            throw refuse(
                .unprocessable, "InvalidStream", "there is no audio stream \(other.id)",
                "take 0, the sound of the main stream")
        }
        guard facts.hasSound else {
            throw refuse(.conflict, "INVALID_IN_STATE", "no sound of the camera was seen", "leave audioStreams out")
        }
        if audio.contains(where: { one in options.videoStreams?.contains { $0.name == one.name } == true }) {
            throw refuse(
                .unprocessable, "InvalidStream", "a video and an audio stream have one name", "name them apart")
        }
    }

    private static func number(_ id: TransportStreamID) -> Int {
        switch id {
        case .automatic: 0
        case .number(let number): number
        }
    }

    /// Segments are whole distances between key frames, and a pre-roll is one at least.
    func keyFrames(_ options: TransportOptions, _ preRollMs: Int64) throws {
        guard let keyFrameMs = facts.keyFrameMs, keyFrameMs > 0 else { return }
        let segmentMs = options.containerOptions?.cmafContainerOptions?.segmentDuration ?? 0
        let parts = Double(segmentMs) / Double(keyFrameMs)
        guard parts.rounded() >= 1, abs(parts - parts.rounded()) <= Self.tolerance * parts.rounded() else {
            throw refuse(
                .unprocessable, "InvalidOptions",
                "segmentDuration \(segmentMs) ms is no multiple of \(keyFrameMs) ms, the distance between key frames",
                "give a multiple of it")
        }
        guard preRollMs == 0 || Double(preRollMs) >= Double(keyFrameMs) * (1 - Self.tolerance) else {
            throw refuse(
                .unprocessable, "InvalidPreRollLength",
                "maxPreRollLen \(preRollMs) ms is less than \(keyFrameMs) ms, the distance between key frames",
                "give 0, or at least that")
        }
    }

    // MARK: Refusals

    func refuse(_ kind: SiteError.Kind, _ name: String, _ why: String, _ remedy: String) -> SiteError {
        SiteError(kind, what: "the transport of camera \(camera)", why: why, remedy: remedy, matter: name)
    }

    func constraint(_ why: String, _ remedy: String) -> SiteError { refuse(.invalid, "CONSTRAINT_ERROR", why, remedy) }

    func command(_ why: String, _ remedy: String) -> SiteError { refuse(.invalid, "INVALID_COMMAND", why, remedy) }

    func range(_ value: Int64, _ name: String, _ range: ClosedRange<Int64>) throws {
        guard range.contains(value) else {
            throw constraint("\(name) is \(value)", "give \(range.lowerBound) to \(range.upperBound)")
        }
    }

    func length(_ count: Int, _ name: String, _ range: ClosedRange<Int>) throws {
        guard range.contains(count) else {
            throw constraint(
                "\(name) has \(count) characters", "give \(range.lowerBound) to \(range.upperBound) characters")
        }
    }

    func word(_ value: String?, _ name: String, _ known: [String]) throws {
        guard let value else { throw command("\(name) is missing", "give one of: \(known.joined(separator: ", "))") }
        guard known.contains(value) else {
            throw constraint("\(name) is \(value.prefix(80))", "give one of: \(known.joined(separator: ", "))")
        }
    }
}
