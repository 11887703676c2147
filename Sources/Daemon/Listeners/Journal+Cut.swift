internal import Journal
internal import Server

extension Journal {
    /// Tells of connections to `address` that were closed because of their client.
    func cut(at address: String) -> @Sendable (ConnectionCut) -> Void {
        { [self] cut in
            var fields: [(Field, String)] = [
                (.count, "\(cut.count)"), (.path, address), (.user, cut.peer), (.detail, "\(cut.reason)"),
            ]
            if let request = cut.request { fields.append((.request, request)) }
            send(.clientsCutOff, fields: fields)
        }
    }
}
