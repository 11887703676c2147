extension Key {
    /// The section `webrtc` of vigil.yaml.
    static let webrtc: [Key] = [
        Key(
            "listen", .value(.listen), absence: "as `http.listen`",
            "Numeric address and port (UDP) for all viewers, such as 0.0.0.0:8080; `none` for no WebRTC. What goes over it is always encrypted."
        ),
        Key(
            "addresses", .values(.numericAddress, limit: webrtcAddressLimit),
            absence: "those of this machine's interfaces, or the one of `listen`",
            "The addresses that viewers are told to send to, the best one first. Needed where they reach this machine under another address than it has itself, such as that of a router that forwards the port."
        ),
    ]

    /// Most addresses that viewers are told.
    static let webrtcAddressLimit = 8
}
