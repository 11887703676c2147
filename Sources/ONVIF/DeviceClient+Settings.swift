internal import XML

/// What can be set of a camera itself (ONVIF Imaging 20.12, Media 21.06 and Media2 21.06).
extension DeviceClient {
    // MARK: The picture

    /// How the device makes the picture of a video source, in two exchanges; nil where it has no service for that.
    package func imaging(of source: String) async throws(ONVIFError) -> DeviceImaging? {
        guard place(of: .imaging) != nil else { return nil }
        let settings = try await imaging("GetImagingSettings", source)
        // Where the device does not tell what it offers, what it is set to is known all the same.
        do {
            return DeviceImaging(settings: settings, options: try await imaging("GetOptions", source))
        } catch  where error.isOfOneOperation { return DeviceImaging(settings: settings, options: nil) }
    }

    /// The same after it was set, in one exchange: what it offers is as `before` says.
    package func imaging(of source: String, after before: DeviceImaging) async throws(ONVIFError) -> DeviceImaging {
        before.with(settings: try await imaging("GetImagingSettings", source))
    }

    /// Sets how the device makes the picture of a video source, in one exchange; the device keeps it over its own restart, where it
    /// heeds that.
    package func set(_ change: ImagingChange, of source: String) async throws(ONVIFError) {
        _ = try await imaging(
            "SetImagingSettings", source, change.element + "<t:ForcePersistence>true</t:ForcePersistence>")
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

    /// The device's speaker, the first where it has several; nil where it has none. The levels that it has are not asked for where
    /// `before` is the same speaker: they are as that says.
    package func speaker(after before: SpeakerConfiguration? = nil) async throws(ONVIFError) -> SpeakerConfiguration? {
        for service in mediaServices(first: before?.service) {
            do {
                let found = try await ask(Operation("GetAudioOutputConfigurations", of: service))
                guard let speaker = SpeakerConfiguration.read(found, of: service).first else { continue }
                if let before, let same = speaker.with(levelsOf: before) { return same }
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
        for service in mediaServices(first: speaker.service) {
            let persists = service == .media ? "<t:ForcePersistence>true</t:ForcePersistence>" : ""
            do {
                _ = try await ask(
                    Operation(
                        "SetAudioOutputConfiguration", of: service, content: speaker.element(level: level) + persists))
                return
            } catch  where error.isOfOneOperation { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// The media services that the device has: the one that has told what is asked for, then the newer one.
    private func mediaServices(first: DeviceServices.Kind?) -> [DeviceServices.Kind] {
        let services = [DeviceServices.Kind.media2, .media].filter { place(of: $0) != nil }
        return services.filter { $0 == first } + services.filter { $0 != first }
    }
}
