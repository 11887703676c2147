/// Looks for the end of an RTSP head among bytes that come piece by piece. Each byte is looked at once, however many
/// pieces there are.
struct RTSPHeadScanner {
    /// What has been found so far.
    enum Finding: Hashable {
        /// The head goes on behind what has come.
        case more
        /// The head's text is `text` bytes long; what follows its empty line begins at `end`.
        case head(text: Int, end: Int)
        /// These bytes are no head, as many as there are before the first that may begin something else.
        case none(Int)
    }

    /// The longest first word: a method, or the name of the protocol.
    private static let wordBytesMax = 32

    private var looked = 0
    private var lineBegin = 0
    private var isInFirstWord = true

    /// Looks at what has come since the last call. `bytes`: everything from the begin of the head on.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Finding {
        while looked < bytes.count {
            let byte = bytes[looked]
            if isInFirstWord {
                if byte == UInt8(ascii: " ") {
                    isInFirstWord = false
                } else if !RTSPHeadScanner.isWord(byte) || looked >= RTSPHeadScanner.wordBytesMax {
                    return .none(max(1, looked))
                }
            }
            if byte == 10 {
                let length = looked - lineBegin
                if length == 0 || length == 1 && bytes[lineBegin] == 13 {
                    return .head(text: lineBegin, end: looked + 1)
                }
                lineBegin = looked + 1
            } else if byte < 32, byte != 9, byte != 13, looked > 0, bytes[looked - 1] == UInt8(ascii: "$") {
                // A packet begins here: its channel is no character of a text.
                return .none(max(1, looked - 1))
            }
            looked += 1
        }
        return .more
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
