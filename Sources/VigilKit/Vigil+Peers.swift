internal import HTTPTypes
public import Wire

/// The live picture by WebRTC, for apps that bring a library of WebRTC with them.
extension Vigil {
    /// Answers an offer of WebRTC to take a camera's live picture. The session of the answer ends after its time unless it is
    /// extended. An offer whose sound is `sendrecv` or `sendonly` can talk: see ``talk(session:_:)``. Without a `stream` it is the main
    /// stream while the viewer's network carries that, else the sub-stream where the camera has one.
    public func answer(camera: String, offer: String, stream: LiveStream? = nil) async throws -> PeerAnswer {
        try await ask(
            .post, "/v1/cameras/\(Percent.encode(camera))/webrtc", body: PeerOffer(offer: offer, stream: stream)
        ).answer
    }

    /// Begins or ends talk-back in a session that is shown by WebRTC: what its viewer says is heard at the camera. Answers when the
    /// camera takes sound. One viewer of a camera talks at a time.
    @discardableResult
    public func talk(session: String, _ on: Bool) async throws -> SessionInfo {
        try await ask(session, .talk(on))
    }

    /// Lets a session last its whole time again, from now.
    @discardableResult
    public func extend(session: String) async throws -> SessionInfo {
        try await ask(session, .extend)
    }

    /// Ends a session, and with it what is shown and said in it.
    @discardableResult
    public func close(session: String) async throws -> SessionInfo {
        try await ask(.delete, "/v1/sessions/\(Percent.encode(session))").answer
    }

    private func ask(_ session: String, _ verb: SessionVerb) async throws -> SessionInfo {
        try await ask(.post, "/v1/sessions/\(Percent.encode(session))/\(verb.name)", body: verb.body).answer
    }
}
