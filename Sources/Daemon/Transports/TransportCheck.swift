internal import Ingest
internal import Machines
internal import Server

/// Reads the options of a transport: what the machine is to know of them, or which of Matter's errors they are.
struct TransportCheck {
    /// What is known of the camera.
    struct Camera {
        /// Its zones in their order.
        var zones: [String]
        /// Whether video of it was seen.
        var hasVideo: Bool
        /// Whether sound of it was seen.
        var hasSound: Bool
        /// The distance between its key frames, in milliseconds; nil: not known yet.
        var keyFrameMs: Int64?
    }

    /// Options that are taken.
    struct Checked {
        /// What triggers the transport.
        var trigger: PushTransport.Trigger
        /// The most that is kept of the time before, in milliseconds.
        var preRollMs: Int64
        /// The options with what the daemon chose.
        var options: TransportOptions
    }

    /// The most zones that one transport names.
    static let zonesMax = 32
    /// The longest pre-roll, in milliseconds: what the ring of a camera holds at most.
    static let preRollMsMax: Int64 = 60_000
    /// By how much the measured distance of key frames may be off, in parts of it.
    static let tolerance = 0.05

    let camera: String
    var facts: Camera
    /// The numbers of the TLS endpoints that there are.
    var endpoints = [0]

    /// Reads options, first each field for itself, then what depends on the camera. Throws a `SiteError` with Matter's name.
    func read(_ options: TransportOptions) throws -> Checked {
        var options = options
        try fields(options)
        try trigger(options.triggerOptions)
        try container(options.containerOptions)
        if options.streamUsage != "recording" {
            throw refuse(
                .unprocessable, "InvalidStreamUsage", "streamUsage is \(options.streamUsage ?? "missing")",
                "give recording: what is looked at live needs no transport, and the daemon analyses by itself")
        }
        try streams(&options)
        let (trigger, preRollMs) = TransportText.trigger(options, facts.zones)
        try keyFrames(options, preRollMs)
        return Checked(trigger: trigger, preRollMs: preRollMs, options: options)
    }

    /// The same check where a transport has other options: the streams that it has were seen when they were named.
    func keeping(_ before: TransportOptions) -> TransportCheck {
        var check = self
        if before.videoStreams != nil { check.facts.hasVideo = true }
        if before.audioStreams != nil { check.facts.hasSound = true }
        return check
    }

    // MARK: Fields

    private func fields(_ options: TransportOptions) throws {
        try word(options.streamUsage, "streamUsage", ["internal", "recording", "analysis", "liveView"])
        try word(options.ingestMethod, "ingestMethod", ["cmafIngest"])
        let hasOne = options.videoStreamID != nil || options.audioStreamID != nil
        let hasLists = options.videoStreams != nil || options.audioStreams != nil
        guard hasOne || hasLists else {
            throw command("neither video nor audio is named", "give videoStreams or audioStreams")
        }
        if hasOne, hasLists {
            throw command(
                "streams are named twice", "give videoStreams and audioStreams, or videoStreamID and audioStreamID")
        }
        for stream in (options.videoStreams ?? []) + (options.audioStreams ?? []) {
            try length(stream.name.unicodeScalars.count, "the name of a stream", 1...16)
        }
        if let lists = [options.videoStreams, options.audioStreams].first(where: {
            $0?.isEmpty == true || $0?.count ?? 0 > 16
        }) {
            throw constraint("a list of streams has \(lists?.count ?? 0) entries", "give 1 to 16")
        }
        if let time = options.expiryTime { try range(time, "expiryTime", 1...4_294_967_295) }
        if let endpoint = options.tlsEndpointID {
            try range(Int64(endpoint), "tlsEndpointID", 0...65_534)
            if !endpoints.contains(endpoint) {
                throw refuse(
                    .unprocessable, "InvalidTLSEndpoint", "there is no TLS endpoint \(endpoint)",
                    "give 0, or add it to tlsEndpoints of vigil.yaml")
            }
        }
        if let url = options.url { try Self.check(url: url, camera) }
    }

    /// `https:`, a host, a path that ends with a slash, and nothing behind it.
    static func check(url: String, _ camera: String) throws {
        func bad(_ why: String) -> SiteError {
            SiteError(
                .invalid, what: "the transport of camera \(camera)", why: "url \(why)",
                remedy: "write it like https://media.example.org/front/", matter: "InvalidURL")
        }
        guard (13...2_000).contains(url.unicodeScalars.count) else {
            throw SiteError(
                .invalid, what: "the transport of camera \(camera)", why: "url is not of 13 to 2000 characters",
                remedy: "write it like https://media.example.org/front/", matter: "CONSTRAINT_ERROR")
        }
        guard url.lowercased().hasPrefix("https://") else { throw bad("does not begin with https://") }
        guard
            url.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value < 0x7F && !"\"<>\\^`{|}".unicodeScalars.contains($0)
            })
        else { throw bad("holds characters that an address does not have") }
        if url.contains("?") { throw bad("has a query") }
        if url.contains("#") { throw bad("has a fragment") }
        let rest = url.dropFirst("https://".count)
        let authority = rest.prefix { $0 != "/" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard let first = host.first, first != ":" else { throw bad("names no host") }
        // A slash in a password ends the authority, and the rest of the login would be shown as a path.
        let port = host.first == "[" ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
        let isPort = port.first == ":" && port.dropFirst().allSatisfy(\.isNumber) && UInt16(port.dropFirst()) != nil
        guard port.isEmpty || isPort else {
            throw bad("has a port that is no number up to 65535")
        }
        if rest.dropFirst(authority.count).contains("@") {
            throw bad("has an @ in its path: write %40, and a slash in a login as %2F")
        }
        guard rest.count > authority.count, url.hasSuffix("/") else { throw bad("does not end with a slash") }
    }

    private func container(_ container: TransportContainerOptions?) throws {
        guard let container else {
            throw command("containerOptions is missing", "give containerType and cmafContainerOptions")
        }
        try word(container.containerType, "containerType", ["cmaf"])
        guard let cmaf = container.cmafContainerOptions else {
            throw command("cmafContainerOptions is missing", "give cmafInterface, segmentDuration and chunkDuration")
        }
        try word(cmaf.cmafInterface, "cmafInterface", IngestSession.Interface.allCases.map(\.rawValue))
        guard let segment = cmaf.segmentDuration, let chunk = cmaf.chunkDuration else {
            throw command("segmentDuration or chunkDuration is missing", "give both, in milliseconds")
        }
        try range(segment, "segmentDuration", 500...65_500)
        try range(chunk, "chunkDuration", 0...segment / 2)
        if let group = cmaf.sessionGroup { try range(Int64(group), "sessionGroup", 0...255) }
        if let name = cmaf.trackName { try length(name.unicodeScalars.count, "trackName", 1...16) }
    }

    private func trigger(_ trigger: TransportTriggerOptions?) throws {
        guard let trigger else { throw command("triggerOptions is missing", "give triggerType and what it needs") }
        try word(trigger.triggerType, "triggerType", ["command", "motion", "continuous"])
        let isMotion = trigger.triggerType == "motion"
        if !isMotion, trigger.motionZones != nil || trigger.motionSensitivity != nil || trigger.motionTimeControl != nil
        {
            throw command("motionZones, motionSensitivity and motionTimeControl are for motion alone", "leave them out")
        }
        if isMotion {
            guard let times = trigger.motionTimeControl else {
                throw command(
                    "motionTimeControl is missing",
                    "give initialDuration, augmentationDuration, maxDuration and blindDuration")
            }
            _ = try control(times)
        }
        if (trigger.maxPreRollLen == nil) != (trigger.triggerType == "continuous") {
            throw command(
                "maxPreRollLen is \(trigger.maxPreRollLen == nil ? "missing" : "given")",
                "give it for command and motion, and not for continuous")
        }
        if let preRoll = trigger.maxPreRollLen { try range(preRoll, "maxPreRollLen", 0...Self.preRollMsMax) }
        if let sensitivity = trigger.motionSensitivity { try range(Int64(sensitivity), "motionSensitivity", 1...10) }
        try zones(trigger.motionZones ?? [])
    }

    private func zones(_ zones: [TransportZone]) throws {
        if zones.contains(where: { $0.sensitivity != nil }) {
            throw command(
                "a zone has a sensitivity", "give motionSensitivity: a camera has no sensitivity of single zones")
        }
        if Set(zones.map(\.zone)).count < zones.count {
            throw refuse(.conflict, "ALREADY_EXISTS", "a zone is named twice", "name each once")
        }
        if zones.count > Self.zonesMax {
            throw refuse(
                .unprocessable, "DYNAMIC_CONSTRAINT_ERROR", "\(zones.count) zones are named",
                "name \(Self.zonesMax) at most")
        }
        for name in zones.compactMap(\.zone) where !facts.zones.prefix(ZoneMap.zoneLimit).contains(name) {
            throw refuse(
                .unprocessable, "InvalidZone", "there is no zone \(name.prefix(80))",
                facts.zones.isEmpty ? "the camera has none" : "take one of \(facts.zones.joined(separator: ", "))")
        }
    }

    /// A time control in milliseconds.
    func control(_ control: TransportTimeControl) throws -> TimeControl {
        guard let initial = control.initialDuration, let max = control.maxDuration else {
            throw command("initialDuration or maxDuration is missing", "give both, in seconds")
        }
        let (augmentation, blind) = (control.augmentationDuration ?? 0, control.blindDuration ?? 0)
        try range(initial, "initialDuration", 1...65_535)
        try range(augmentation, "augmentationDuration", 0...65_535)
        try range(max, "maxDuration", 1...4_294_967_295)
        try range(blind, "blindDuration", 0...65_535)
        guard max >= initial else {
            throw constraint("maxDuration \(max) is less than initialDuration \(initial)", "give at least as much")
        }
        return TimeControl(
            initialMs: initial * 1_000, augmentationMs: augmentation * 1_000, maxMs: max * 1_000, blindMs: blind * 1_000
        )
    }
}
