/// Of which channel of a device a camera is (``ChannelSearch``).
extension DeviceClient {
    /// How long the channels of cameras are looked for, in milliseconds, and how long of that one stream is asked for. What is not
    /// found by then is not known.
    package static let channelsMs: Int64 = 60_000
    static let streamMs: Int64 = 5_000

    /// The channel of each of these cameras, by the addresses of their streams. One camera of a device with one channel is asked for no
    /// stream. Throws where the device tells no channel at all, or answers for no stream.
    func channels(
        of cameras: [String: [String]], within boundMs: Int64 = DeviceClient.channelsMs
    ) async throws(ONVIFError) -> [String: Result<DeviceChannel, ONVIFError>] {
        let begin = ContinuousClock.now
        let (profiles, service) = try await profiles(within: boundMs)
        let leftMs = Self.left(of: boundMs, since: begin)
        return try await search(for: cameras, among: profiles, by: service, within: leftMs).result
    }

    /// The token of the video source whose picture is the stream at one of these addresses.
    package func videoSource(
        of addresses: [String], within boundMs: Int64 = DeviceClient.channelsMs
    ) async throws(ONVIFError) -> String {
        let begin = ContinuousClock.now
        let (profiles, service) = try await profiles(within: boundMs)
        let leftMs = Self.left(of: boundMs, since: begin)
        return try await videoSource(of: addresses, among: profiles, by: service, within: leftMs)
    }

    /// The same among profiles that the device has told already.
    func videoSource(
        of addresses: [String], among profiles: [MediaProfile], by service: DeviceServices.Kind,
        within boundMs: Int64 = DeviceClient.channelsMs
    ) async throws(ONVIFError) -> String {
        let search = try await search(for: ["": addresses], among: profiles, by: service, within: boundMs)
        switch search.result[""] {
        case .success(.one(let source, _)): return source
        case .failure(let error): throw error
        case .success(.only), nil:
            guard let only = search.channels.recorded.first else { throw search.noPicture }
            return only
        }
    }

    /// Asks for the streams of these profiles. One that is not answered is not known; the others are asked for all the same.
    private func search(
        for cameras: [String: [String]], among profiles: [MediaProfile], by service: DeviceServices.Kind,
        within boundMs: Int64
    ) async throws(ONVIFError) -> ChannelSearch {
        var search = ChannelSearch(profiles, for: cameras, of: address.authority)
        guard !search.channels.isEmpty else { throw search.noSource }
        let begin = ContinuousClock.now
        var failure: ONVIFError?
        while let profile = search.next, !Task.isCancelled {
            let leftMs = Self.left(of: boundMs, since: begin)
            guard leftMs > 1 else { break }
            do throws(ONVIFError) {
                let stream = try await stream(of: profile, by: service, within: min(leftMs, Self.streamMs))
                search.take(stream?.text)
            } catch {
                switch error.kind {
                case .unauthorized: throw error
                case .unreachable:
                    failure = error
                    search.miss()
                case .unsupported, .refused, .foreign: search.take(nil)
                }
            }
        }
        if let failure, !search.isAnswered { throw failure }
        return search
    }
}
