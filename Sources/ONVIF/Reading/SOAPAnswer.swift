package import XML

/// What stands in the body of an answer (SOAP 1.2; 1.1 is read, too).
package enum SOAPAnswer: Hashable, Sendable {
    /// What was asked for.
    case response(XMLNode)
    /// The device refuses.
    case fault(SOAPFault)

    /// How much of an answer is taken: the profiles of a recorder with 64 channels are a megabyte. Devices declare every namespace
    /// that they know on the envelope, and write names in whatever coding.
    package static let bounds = XMLBounds(
        bytes: 4 << 20, depth: 32, attributes: 128, elements: 50_000, repairsText: true)

    /// Reads an answer.
    package init(_ bytes: [UInt8]) throws(XMLDefect) {
        let root = try XMLNode.parse(bytes, within: Self.bounds)
        guard root.name == "Envelope", let body = root.child("Body") else {
            throw XMLDefect("no envelope of SOAP with a body", at: 0)
        }
        // Nothing is what some devices answer to an order.
        let content = body.children.first ?? body
        self = content.name == "Fault" ? .fault(SOAPFault(content)) : .response(content)
    }
}

/// Why a device refuses.
package struct SOAPFault: Hashable, Sendable {
    /// How many codes are read: one, and what refines it.
    static let codesMax = 4
    /// How many scalars a reason has at most.
    static let reasonMax = 200

    /// Its codes without prefixes, the general one first: `Sender`, `NotAuthorized`.
    package let codes: [String]
    /// Its words in one line; nil where there are none.
    package let reason: String?

    init(_ node: XMLNode) {
        var codes: [String] = []
        var code = node.child("Code")
        while let this = code, codes.count < Self.codesMax {
            codes += this.text("Value").flatMap(Self.local).map { [$0] } ?? []
            code = this.child("Subcode")
        }
        codes += node.text("faultcode").flatMap(Self.local).map { [$0] } ?? []
        self.codes = codes
        reason = (node.child("Reason")?.text("Text") ?? node.text("faultstring"))?.line(max: Self.reasonMax)
    }

    /// Whether a login is missing or wrong.
    package var isUnauthorized: Bool {
        let known: Set = [
            "NotAuthorized", "FailedAuthentication", "InvalidSecurityToken", "InvalidSecurity", "SenderNotAuthorized",
        ]
        return codes.contains(where: known.contains) || reason?.lowercased().contains("not authorized") == true
    }

    /// Whether the device does not have what was asked for.
    package var isUnsupported: Bool {
        let known: Set = ["ActionNotSupported", "OptionalActionNotImplemented", "UnknownAction", "NotSupported"]
        return codes.contains(where: known.contains)
    }

    /// In words, for people: the last code and the reason.
    package var words: String {
        switch (codes.last, reason) {
        case (let code?, let reason?): "\(code): \(reason)"
        case (let code?, nil): code
        case (nil, let reason?): reason
        case (nil, nil): "no reason told"
        }
    }

    private static func local(_ text: String) -> String? {
        text.split(separator: ":").last.flatMap { String($0).line(max: 64) }
    }
}
