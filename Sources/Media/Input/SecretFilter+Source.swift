import Hashing

extension SecretFilter {
    /// The filter of a camera's login and of what its address hides (`RTSPAddress.hidden`).
    init(_ source: InputSource) {
        guard case .rtsp(let address, let credential, _, _, _, _) = source else {
            self.init(words: [])
            return
        }
        self.init(words: address.hidden, login: credential.map { ($0.user, $0.password) })
    }
}
