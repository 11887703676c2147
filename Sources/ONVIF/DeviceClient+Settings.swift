internal import XML

/// What can be set of a camera itself (ONVIF Imaging 20.12, Media 21.06 and Media2 21.06).
extension DeviceClient {
    /// The token of the video source whose picture is the stream at one of these addresses. A device with one alone is asked for no
    /// stream; of several the one whose stream has the same path and query, whatever host is named.
    package func videoSource(of addresses: [String]) async throws(ONVIFError) -> String {
        let (profiles, service) = try await profiles()
        let recorded = profiles.filter { $0.isRecorded && $0.videoSource != nil }
        let sources = Set(recorded.compactMap(\.videoSource))
        if sources.count == 1, let only = sources.first { return only }
        let paths = Set(addresses.map(Self.path))
        for profile in recorded.prefix(2 * DeviceReport.camerasMax) {
            do {
                guard let stream = try await stream(of: profile, by: service), paths.contains(Self.path(stream.text)),
                    let source = profile.videoSource
                else { continue }
                return source
            } catch  where error.isOfOneOperation { continue }
        }
        throw ONVIFError(
            .unsupported, "GetProfiles", of: address.authority,
            sources.isEmpty
                ? "the device tells no video source"
                : "none of the \(sources.count) channels of the device has the stream of this camera",
            remedy: "take the address of the stream that \"vigil discover\" prints")
    }

    /// What stands behind the host of an address.
    private static func path(_ address: String) -> Substring {
        guard let scheme = address.firstRange(of: "://") else { return address[...] }
        let rest = address[scheme.upperBound...]
        return rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
    }

    // MARK: Night vision

    /// How a video source sees at night; nil where the device has no filter against infrared light that can be moved.
    package func nightVision(_ source: String) async throws(ONVIFError) -> NightVision? {
        guard place(of: .imaging) != nil else { return nil }
        return NightVision(settings: try await imaging("GetImagingSettings", source))
    }

    /// What of night vision can be chosen for a video source.
    package func nightVisionChoices(_ source: String) async throws(ONVIFError) -> Set<NightVision> {
        guard place(of: .imaging) != nil else { return [] }
        return NightVision.choices(try await imaging("GetOptions", source))
    }

    /// Chooses night vision; the device keeps it over its own restart, where it heeds that.
    package func set(_ nightVision: NightVision, of source: String) async throws(ONVIFError) {
        _ = try await imaging(
            "SetImagingSettings", source,
            "<t:ImagingSettings><tt:IrCutFilter>\(nightVision.filter)</tt:IrCutFilter></t:ImagingSettings>"
                + "<t:ForcePersistence>true</t:ForcePersistence>")
    }

    private func imaging(
        _ name: String, _ source: String, _ content: String = ""
    ) async throws(ONVIFError) -> XMLNode {
        try await ask(
            Operation(
                name, of: .imaging,
                content: "<t:VideoSourceToken>\(XMLNode.escaped(source))</t:VideoSourceToken>" + content))
    }

    // MARK: The speaker

    /// The device's speaker, the first where it has several; nil where it has none.
    package func speaker() async throws(ONVIFError) -> SpeakerConfiguration? {
        for service in mediaServices {
            do {
                let found = try await ask(Operation("GetAudioOutputConfigurations", of: service))
                guard let speaker = SpeakerConfiguration.read(found).first else { continue }
                let options = Operation(
                    "GetAudioOutputConfigurationOptions", of: service,
                    content: "<t:ConfigurationToken>\(XMLNode.escaped(speaker.token))</t:ConfigurationToken>")
                // Where the device does not tell its levels, the standard's per cent are taken.
                do { return speaker.with(options: try await ask(options)) } catch  where error.isOfOneOperation {
                    return speaker
                }
            } catch  where error.isOfOneOperation { continue }
        }
        return nil
    }

    /// Sets the level of a speaker.
    package func set(level: Int, of speaker: SpeakerConfiguration) async throws(ONVIFError) {
        var failure: ONVIFError?
        for service in mediaServices {
            let persists = service == .media ? "<t:ForcePersistence>true</t:ForcePersistence>" : ""
            do {
                _ = try await ask(
                    Operation(
                        "SetAudioOutputConfiguration", of: service, content: speaker.element(level: level) + persists))
                return
            } catch  where error.isOfOneOperation { failure = error }
        }
        if let failure { throw failure }
    }

    /// The media services that the device has, the newer one first.
    private var mediaServices: [DeviceServices.Kind] { [.media2, .media].filter { place(of: $0) != nil } }
}
