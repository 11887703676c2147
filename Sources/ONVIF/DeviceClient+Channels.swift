internal import XML

/// Of which channel of a device a camera is: of the one whose stream has the path of the camera's.
extension DeviceClient {
    /// How long streams are asked for to find channels, in milliseconds; what is not found by then is not known.
    static let channelsMs: Int64 = 60_000

    /// The channel of each of these cameras, by the addresses of their streams. A device with one channel alone is asked for no stream.
    package func channels(
        of cameras: [String: [String]]
    ) async throws(ONVIFError) -> [String: Result<DeviceChannel, ONVIFError>] {
        let (profiles, service) = try await profiles()
        let channels = DeviceChannels(profiles)
        guard channels.areSeveral else { return cameras.mapValues { _ in .success(.only) } }
        var found: [String: Result<DeviceChannel, ONVIFError>] = [:]
        if channels.recorded.count == 1, let source = channels.recorded.first {
            return cameras.mapValues { _ in .success(.one(source, of: channels)) }
        }
        let begin = ContinuousClock.now
        let paths = cameras.mapValues { Set($0.map(Self.path)) }
        for profile in profiles.filter(\.isRecorded).prefix(2 * DeviceReport.camerasMax) {
            guard found.count < cameras.count, begin.duration(to: .now) < .milliseconds(Self.channelsMs) else { break }
            guard let source = profile.videoSource else { continue }
            do {
                guard let stream = try await stream(of: profile, by: service) else { continue }
                let path = Self.path(stream.text)
                for (camera, paths) in paths where found[camera] == nil && paths.contains(path) {
                    found[camera] = .success(.one(source, of: channels))
                }
            } catch  where error.isOfOneOperation { continue }
        }
        for camera in cameras.keys where found[camera] == nil {
            found[camera] = .failure(noChannel(of: channels.recorded.count))
        }
        return found
    }

    /// The token of the video source whose picture is the stream at one of these addresses.
    package func videoSource(of addresses: [String]) async throws(ONVIFError) -> String {
        switch try await channels(of: ["": addresses])[""] {
        case .success(.one(let source, _)): return source
        case .failure(let error): throw error
        case .success(.only), nil:
            guard let only = DeviceChannels(try await profiles().profiles).recorded.first else {
                throw noChannel(of: 0)
            }
            return only
        }
    }

    private func noChannel(of count: Int) -> ONVIFError {
        ONVIFError(
            .unsupported, "GetProfiles", of: address.authority,
            count == 0
                ? "the device tells no video source"
                : "none of the \(count) channels of the device has the stream of this camera",
            remedy: "take the address of the stream that \"vigil discover\" prints")
    }

    /// What stands behind the host of an address.
    private static func path(_ address: String) -> Substring {
        guard let scheme = address.firstRange(of: "://") else { return address[...] }
        let rest = address[scheme.upperBound...]
        return rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
    }
}
