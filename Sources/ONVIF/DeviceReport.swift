package import Media

/// What one device says that it is and has, and what Vigil would record of it. Holds no login.
package struct DeviceReport: Hashable, Sendable, Codable {
    /// A stream of the device, and where it is.
    package struct Stream: Hashable, Sendable, Codable {
        /// What it is made of.
        package let profile: MediaProfile
        /// Its address of RTSP; nil where the device names none.
        package let address: String?
        /// Where a picture of it is; nil where the device names no place.
        package let snapshot: String?
    }

    /// One sensor or channel of the device: a camera of Vigil.
    package struct Camera: Hashable, Sendable, Codable {
        /// Its token; nil where none is told.
        package let videoSource: String?
        /// What would be recorded.
        package let main: Stream
        /// What would be looked at; nil where the device has no smaller stream.
        package let sub: Stream?
    }

    /// What ended the questions.
    package struct Problem: Hashable, Sendable, Codable {
        /// What kind of trouble it is.
        package let kind: ONVIFError.Kind
        /// What was asked.
        package let operation: String
        /// What is wrong.
        package let cause: String
        /// What to do about it.
        package let remedy: String
    }

    /// How many cameras of one device are asked for their streams.
    package static let camerasMax = 64
    /// How far a clock may be away before it is worth a note, in milliseconds.
    static let clockNoteMs: Int64 = 5_000

    /// Where its own service is.
    package let address: String
    /// What it calls itself, and its place; nil where it has not said.
    package private(set) var name: String?
    package private(set) var location: String?
    /// What it says that it is; nil where it has not said.
    package private(set) var information: DeviceInformation?
    /// How far its clock is ahead of this machine's, in milliseconds; nil where it tells no time.
    package private(set) var clockAheadMs: Int64?
    /// The services that it has, by their names.
    package private(set) var services: [DeviceServices.Kind] = []
    /// All of its profiles, in its own order.
    package private(set) var profiles: [MediaProfile] = []
    /// What Vigil would record.
    package private(set) var cameras: [Camera] = []
    /// What is worth knowing, one sentence each.
    package private(set) var notes: [String] = []
    /// What ended the questions; nil where all were answered.
    package private(set) var problem: Problem?

    /// Asks the device at `address`; ends within a bound, whatever it answers: each answer within ``DeviceClient/timeoutMs``, and all
    /// of them within `boundMs`.
    ///
    /// - Parameter found: what it said of itself when it was looked for.
    package static func of(
        _ address: ServiceAddress, found: DiscoveredDevice? = nil, credential: CameraCredential?,
        tls: TLSRules = TLSRules(),
        timeoutMs: Int64 = DeviceClient.timeoutMs, boundMs: Int64 = 60_000
    ) async -> DeviceReport {
        let client = DeviceClient(
            address: address, credential: credential, tls: tls, timeoutMs: timeoutMs, boundMs: boundMs)
        var report = DeviceReport(address: address.description, name: found?.name, location: found?.location)
        do {
            try await client.connect()
            report.clockAheadMs = await client.clockOffsetMs
            for kind in DeviceServices.Kind.allCases where await client.place(of: kind) != nil {
                report.services.append(kind)
            }
            report.noteClock()
            do { report.information = try await client.information() } catch  where error.isOfOneOperation {
                report.note("\(error.operation): \(error.cause)")
            }
            let (profiles, service) = try await client.profiles()
            report.profiles = profiles
            for choice in StreamChoice.of(profiles).prefix(camerasMax) {
                guard let main = try await report.stream(choice.main, service, of: client) else { continue }
                var sub: Stream?
                if let profile = choice.sub { sub = try await report.stream(profile, service, of: client) }
                report.cameras.append(Camera(videoSource: choice.videoSource, main: main, sub: sub))
            }
            if profiles.isEmpty || StreamChoice.of(profiles).isEmpty {
                report.notes.append("the device has no stream in H.264 or H.265")
            }
        } catch {
            report.problem = Problem(
                kind: error.kind, operation: error.operation, cause: error.cause, remedy: error.remedy)
        }
        await client.shutdown()
        return report
    }

    private init(address: String, name: String?, location: String?) {
        (self.address, self.name, self.location) = (address, name, location)
    }

    /// Nil where the device has no stream for the profile, such as that of a channel without a camera; the others are asked for.
    private mutating func stream(
        _ profile: MediaProfile, _ service: DeviceServices.Kind, of client: DeviceClient
    ) async throws(ONVIFError) -> Stream? {
        let address: StreamAddress?
        do { address = try await client.stream(of: profile, by: service) } catch  where error.isOfOneOperation {
            note("profile \"\(profile.token)\": \(error.operation): \(error.cause)")
            return nil
        }
        if let host = address?.namedHost {
            note("the device says that its streams are on \(host): they are taken from the host that was asked")
        }
        if address == nil { note("the device names no address of RTSP for the profile \"\(profile.token)\"") }
        var snapshot: StreamAddress?
        do { snapshot = try await client.snapshot(of: profile, by: service) } catch {
            // Not every device has pictures.
            guard error.kind != .unreachable else { throw error }
        }
        return Stream(profile: profile, address: address?.text, snapshot: snapshot?.text)
    }

    private mutating func noteClock() {
        guard let ahead = clockAheadMs else { return note("the device tells no time") }
        guard ahead.magnitude >= Self.clockNoteMs.magnitude else { return }
        note(
            "the device's clock is \(ahead.magnitude / 1_000) s \(ahead > 0 ? "ahead of" : "behind") this machine's: let both take "
                + "their time from one server (NTP)")
    }

    private mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }
}
