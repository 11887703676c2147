internal import Journal
internal import Media

extension Journal {
    /// Tells what happened at a publishing point.
    func tell(_ happening: PublishingPoint.Happening, camera: String, stream: StreamName) {
        switch happening {
        case .began(let pusher, let session):
            send(
                .ingestBegan, camera: camera,
                fields: [
                    (.track, stream.rawValue),
                    (.detail, session.isEmpty ? "\(pusher)" : "\(pusher), session \(session)"),
                ])
        case .refused(let pusher, let refusal, let count):
            send(
                .ingestRefused, camera: camera,
                fields: [
                    (.track, stream.rawValue), (.why, refusal.why), (.count, "\(count)"), (.detail, "\(pusher)"),
                ])
        }
    }
}
