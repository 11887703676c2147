internal import Webhook

extension WebhookSecret {
    /// The secret that a credential holds.
    init(_ password: String, ofCredential name: String) throws(WebhookFailure) {
        guard let secret = WebhookSecret(text: password) else {
            throw WebhookFailure(
                .refused,
                "credential \(name): what stands behind its colon is no secret of a webhook; write whsec_ and the base64 of 24 to 64 bytes"
            )
        }
        self = secret
    }
}
