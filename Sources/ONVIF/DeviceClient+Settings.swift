internal import XML

/// What can be set of a camera itself (ONVIF Imaging 20.12, Media 21.06 and Media2 21.06).
extension DeviceClient {
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

    /// Chooses night vision.
    package func set(_ nightVision: NightVision, of source: String) async throws(ONVIFError) {
        try await setImaging("<tt:IrCutFilter>\(nightVision.filter)</tt:IrCutFilter>", of: source)
    }

    // MARK: The picture

    /// The levels of the picture of a video source; none where the device has no such service.
    package func pictureLevels(_ source: String) async throws(ONVIFError) -> [PictureLevel.Part: PictureLevel] {
        guard place(of: .imaging) != nil else { return [:] }
        let settings = try await imaging("GetImagingSettings", source)
        return PictureLevel.read(settings: settings, options: try await imaging("GetOptions", source))
    }

    /// Sets a level of the picture of a video source; `level` is the one that it has, and `share` is 0…100 of those that there are.
    package func set(
        _ part: PictureLevel.Part, to share: Int, from level: PictureLevel, of source: String
    ) async throws(ONVIFError) {
        try await setImaging(level.element(part, share: share), of: source)
    }

    // MARK: Imaging

    /// Sets one part of the imaging of a video source; the device keeps it over its own restart, where it heeds that.
    private func setImaging(_ element: String, of source: String) async throws(ONVIFError) {
        _ = try await imaging(
            "SetImagingSettings", source,
            "<t:ImagingSettings>\(element)</t:ImagingSettings><t:ForcePersistence>true</t:ForcePersistence>")
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
