extension ConfigurationReader {
    /// Live view by WebRTC.
    func webrtc() -> WebRTCSettings {
        let section = item["webrtc"]
        let listen: WebRTCSettings.Listen =
            if let text = section?["listen"]?.text {
                (try? ListenAddress.parse(text)).flatMap { $0 }.map { .at($0) } ?? .none
            } else {
                .asHTTP
            }
        return WebRTCSettings(listen: listen, addresses: (section?["addresses"]?.elements ?? []).compactMap(\.text))
    }

    /// What one key of the section alone cannot tell.
    mutating func checkWebRTC() {
        guard let section = item["webrtc"], let addresses = section["addresses"], webrtc().listen == .none else {
            return
        }
        checker.warning(
            addresses.place, "webrtc.addresses", "WebRTC is off, so nobody is told an address",
            "remove addresses, or give listen an address and port")
    }
}
