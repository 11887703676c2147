internal import Catalog
public import Foundation
internal import Machines

/// The description as JSON. What is read comes from a bucket into which others may write: it is checked before anything uses it.
extension ClipDescription {
    /// The most bytes of a description: 4 MiB.
    public static let bytesMax = 4 << 20

    static let json = ForeignJSON(
        subject: "the description of the clip",
        remedy: "It is left out; send the clip again from its recorder (vigil cloud push), or delete its folder.",
        bytesMax: bytesMax)

    /// The description in JSON with its keys in the order of the alphabet, the same bytes each time.
    public var encoded: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Words, whole numbers, bytes, and parts of a picture's edges: JSON has a form for each value of these.
        return (try? encoder.encode(Form(clip: self))) ?? Data()
    }

    /// Reads a description. Keys that are not known are passed over.
    ///
    /// - Throws: the first key that is wrong. What is read without an error can be presented (`ClipPresentation`).
    public init(parsing bytes: Data) throws(Defect) {
        self = try Self.json.decode(Form.self, from: bytes).clip
        try check()
    }

    /// The description with its format.
    private struct Form: Codable {
        /// The format of clips as they are, and that of encrypted ones, which whoever knows the first alone must refuse.
        static let (format, encryptedFormat) = (1, 2)

        let clip: ClipDescription

        private enum CodingKeys: String, CodingKey {
            case format, camera
            case bootID = "bootId"
            case startMonotonicMs, endMonotonicMs, startWallMs, endWallMs, cause
            case mediaClass = "class"
            case ended, policy, policyRevision
            case isIncomplete = "incomplete"
            case encryption, tracks, events
        }

        init(clip: ClipDescription) { self.clip = clip }

        init(from decoder: any Decoder) throws {
            let form = try decoder.container(keyedBy: CodingKeys.self)
            let format = try form.decode(Int.self, forKey: .format)
            guard [Self.format, Self.encryptedFormat].contains(format) else {
                throw ClipDescription.json.defect(
                    "format", "is \(format), and this version of Vigil reads \(Self.format) and \(Self.encryptedFormat)"
                )
            }
            let isEncrypted = format == Self.encryptedFormat
            clip = ClipDescription(
                camera: try form.decode(String.self, forKey: .camera),
                bootID: try form.decode(String.self, forKey: .bootID),
                startMonotonicMs: try form.decode(Int64.self, forKey: .startMonotonicMs),
                endMonotonicMs: try form.decode(Int64.self, forKey: .endMonotonicMs),
                startWallMs: try form.decode(Int64.self, forKey: .startWallMs),
                endWallMs: try form.decode(Int64.self, forKey: .endWallMs),
                cause: try form.decode(ClipCause.self, forKey: .cause),
                mediaClass: try form.decode(RetentionPlan.MediaClass.self, forKey: .mediaClass),
                ended: try form.decodeIfPresent(ClipEnd.self, forKey: .ended),
                policy: try form.decode(String.self, forKey: .policy),
                policyRevision: try form.decode(String.self, forKey: .policyRevision),
                isIncomplete: try form.decode(Bool.self, forKey: .isIncomplete),
                encryption: isEncrypted ? try form.decode(ClipDescription.Encryption.self, forKey: .encryption) : nil,
                tracks: try form.decode([ClipDescription.Track].self, forKey: .tracks),
                events: try form.decode([ClipDescription.Event].self, forKey: .events))
        }

        func encode(to encoder: any Encoder) throws {
            var form = encoder.container(keyedBy: CodingKeys.self)
            try form.encode(clip.encryption == nil ? Self.format : Self.encryptedFormat, forKey: .format)
            try form.encode(clip.camera, forKey: .camera)
            try form.encode(clip.bootID, forKey: .bootID)
            try form.encode(clip.startMonotonicMs, forKey: .startMonotonicMs)
            try form.encode(clip.endMonotonicMs, forKey: .endMonotonicMs)
            try form.encode(clip.startWallMs, forKey: .startWallMs)
            try form.encode(clip.endWallMs, forKey: .endWallMs)
            try form.encode(clip.cause, forKey: .cause)
            try form.encode(clip.mediaClass, forKey: .mediaClass)
            try form.encodeIfPresent(clip.ended, forKey: .ended)
            try form.encode(clip.policy, forKey: .policy)
            try form.encode(clip.policyRevision, forKey: .policyRevision)
            try form.encode(clip.isIncomplete, forKey: .isIncomplete)
            try form.encodeIfPresent(clip.encryption, forKey: .encryption)
            try form.encode(clip.tracks, forKey: .tracks)
            try form.encode(clip.events, forKey: .events)
        }
    }
}
