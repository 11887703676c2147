/// A session description (RFC 8866) as a viewer of WebRTC offers it (RFC 8829, 5.2), as far as it is looked at. What comes is
/// foreign: every count is bounded, and what is repeated in an answer holds nothing but printable ASCII.
public struct SessionOffer: Hashable, Sendable {
    /// The most bytes of an offer.
    public static let bytesMax = 64 << 10
    /// The most media.
    static let mediaMax = 16
    /// The most formats, and formats described, of a medium.
    static let formatsMax = 128

    /// The media in order.
    private(set) var media: [MediaOffer] = []
    /// The media that go over one transport, by their names (RFC 8843); empty where none do.
    private(set) var bundle: [String] = []

    /// Reads an offer.
    public init(_ text: String) throws(OfferFault) {
        guard text.utf8.count <= Self.bytesMax else {
            throw .malformed("it is longer than \(Self.bytesMax) bytes")
        }
        var session = MediaOffer(kind: "", protocolName: "", formats: [])
        var isFirst = true
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let line = String(line), line.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 9 }),
                line.utf8.count >= 2, line.dropFirst().first == "="
            else { throw .malformed("a line of it is not of the form x=text in ASCII") }
            let value = line.dropFirst(2)
            if isFirst, line != "v=0" { throw .malformed("it does not begin with v=0") }
            isFirst = false
            switch line.first {
            case "m":
                guard media.count < Self.mediaMax else { throw .malformed("it has more than \(Self.mediaMax) media") }
                media.append(try MediaOffer(value, of: session))
            case "a":
                if media.isEmpty {
                    if let names = value.after("group:BUNDLE "), bundle.isEmpty { bundle = names.words(Self.mediaMax) }
                    session.take(value)
                } else {
                    media[media.count - 1].take(value)
                }
            default: continue
            }
        }
        guard !isFirst else { throw .malformed("it is empty") }
        guard !media.isEmpty else { throw .malformed("it offers no medium") }
    }
}

extension SessionOffer {
    /// Whether the viewer offers sound of its own that can be heard.
    public var speaks: Bool { (try? NegotiatedMedia(self, SentMedia(nil, hears: true)))?.heard != nil }

    /// Whether sound of this form can be sent in the company of the video.
    public func takes(_ sound: SentMedia.Sound) -> Bool {
        (try? NegotiatedMedia(self, SentMedia(nil, sound: sound)))?.sound != nil
    }
}

extension Substring {
    /// What follows `head`; nil where that is not the begin.
    func after(_ head: String) -> Substring? { hasPrefix(head) ? dropFirst(head.count) : nil }

    /// The words between blanks, at most `most`.
    func words(_ most: Int) -> [String] { split(separator: " ").prefix(most).map(String.init) }
}
