public import Foundation
internal import Machines

/// What a remote encoder says of a job (docs/reference/encoder.md): the answer to its creation and to each poll, and the body of its
/// notices. It is foreign, and checked before anything uses it.
public struct EncoderAnswer: Hashable, Sendable {
    /// How far a job is.
    public enum State: String, Hashable, Sendable {
        /// It waits or is at work.
        case running
        /// Everything is where it was asked for.
        case finished
        /// It will not be done.
        case failed
    }

    /// The most bytes of an answer: 64 KiB.
    public static let bytesMax = 64 << 10
    /// The most bytes of the name of a job, and of why it failed.
    static let nameBytesMax = 128
    static let whyBytesMax = 500

    /// The encoder's name for the job: letters, digits, `-`, `_` and `.`, at most 128.
    public let job: String
    /// The key of the order, where it is told.
    public let key: String?
    /// How far it is.
    public let state: State
    /// How much is done, 0 to 1000; nil where it is not told.
    public let perMille: Int?
    /// Why it failed, one line; nil where it is not told.
    public let why: String?
    /// What was made, where it is finished.
    public let renditions: [EncodedPresentation.Rendition]

    /// Reads an answer. Keys that are not known are passed over.
    ///
    /// - Parameter asked: the names of what may have been made.
    /// - Throws: what is wrong with it.
    public init(parsing bytes: Data, asked: Set<String>) throws(Defect) {
        let form = try Self.json.decode(Form.self, from: bytes)
        guard (1...Self.nameBytesMax).contains(form.job.utf8.count), form.job.utf8.allSatisfy(Self.isNamed),
            !form.job.hasPrefix(".")
        else { throw Self.json.defect("job", "is no name of 1 to \(Self.nameBytesMax) letters, digits, -, _ and .") }
        guard let state = State(rawValue: form.state) else {
            throw Self.json.defect("state", "is not running, finished or failed")
        }
        if let progress = form.progress, !(0...1_000).contains(progress) {
            throw Self.json.defect("progress", "is not 0 to 1000")
        }
        if let why = form.why { try Self.json.check(why, "why", bytes: 1...Self.whyBytesMax) }
        var renditions: [EncodedPresentation.Rendition] = []
        if state == .finished {
            guard let made = form.renditions, !made.isEmpty else {
                throw Self.json.defect("renditions", "is missing or empty, and the job is finished")
            }
            for (number, one) in made.enumerated() {
                let key = "renditions[\(number)]"
                guard asked.contains(one.name), !renditions.contains(where: { $0.name == one.name }) else {
                    throw Self.json.defect("\(key).name", "was not asked for, or is there twice")
                }
                renditions.append(try Self.rendition(one, key))
            }
        }
        (job, key, self.state, perMille, why) = (form.job, form.key, state, form.progress, form.why)
        self.renditions = renditions.sorted { ($0.height ?? 0) > ($1.height ?? 0) }
    }

    private static let json = ForeignJSON(
        subject: "the encoder's answer",
        remedy: "The try has failed; look at the encoder, or check cloud.encoder.url.", bytesMax: bytesMax)

    /// How it is written.
    private struct Form: Decodable {
        struct Rendition: Decodable {
            var name: String
            var codec: String
            var width: Int?
            var height: Int?
            var bandwidth: Int64
            var averageBandwidth: Int64
            var framesPer1000s: Int64?
        }

        var job: String
        var key: String?
        var state: String
        var progress: Int?
        var why: String?
        var renditions: [Rendition]?
    }

    private static func rendition(
        _ form: Form.Rendition, _ key: String
    ) throws(Defect) -> EncodedPresentation.Rendition {
        guard (1...64).contains(form.codec.utf8.count), form.codec.utf8.allSatisfy(isNamed) else {
            throw json.defect("\(key).codec", "is no codec string of RFC 6381")
        }
        let isSound = form.name == EncodedPresentation.sound
        for (size, name) in [(form.width, "width"), (form.height, "height")] {
            guard isSound ? size == nil : (1...65_535).contains(size ?? 0) else {
                throw json.defect("\(key).\(name)", isSound ? "is given for sound" : "is not 1 to 65535")
            }
        }
        for (rate, name) in [(form.bandwidth, "bandwidth"), (form.averageBandwidth, "averageBandwidth")] {
            guard (1...1_000_000_000).contains(rate) else {
                throw json.defect("\(key).\(name)", "is not 1 to 1000000000 bits a second")
            }
        }
        if let rate = form.framesPer1000s, !(1...1_000_000).contains(rate) {
            throw json.defect("\(key).framesPer1000s", "is not 1 to 1000000")
        }
        return EncodedPresentation.Rendition(
            name: form.name, codec: form.codec, width: form.width, height: form.height, peak: UInt64(form.bandwidth),
            average: UInt64(form.averageBandwidth), ratePerMille: form.framesPer1000s.map(UInt64.init))
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// What a remote encoder is asked for: the clip's tracks, the sizes, and where what it makes goes.
public struct EncoderOrder: Encodable, Sendable {
    /// One size.
    public struct Size: Encodable, Sendable {
        let name: String
        let heightMax: Int
        let kilobits: Int

        /// A size of at most `heightMax` pixels and a mean rate in kbit/s; its files are `name`.cmfv and `name`.m3u8.
        public init(name: String, heightMax: Int, kilobits: Int) {
            (self.name, self.heightMax, self.kilobits) = (name, heightMax, kilobits)
        }
    }

    /// One track: the bytes of its objects, one after the other, are a CMAF track file.
    public struct Track: Encodable, Sendable {
        /// Bytes of it.
        public struct Object: Encodable, Sendable {
            let url: String
            let bytes: Int64

            /// So many bytes at a signed address.
            public init(url: String, bytes: Int64) { (self.url, self.bytes) = (url, bytes) }
        }

        let kind: String
        let codec: String
        let durationMs: Int64
        let objects: [Object]

        /// A track as the clip's description has it.
        public init(_ track: ClipDescription.Track, _ objects: [Object]) {
            (kind, codec, durationMs) = (track.kind.rawValue, track.codec, track.durationMs)
            self.objects = objects
        }
    }

    let key: String
    /// UTC epoch milliseconds of zero of the tracks' time line.
    let startMs: Int64
    let renditions: [Size]
    let tracks: [Track]
    /// For each file that may be made the signed address that it is put at.
    let results: [String: String]
    let secondsMax: Int

    /// An order. `startMs` is in UTC epoch milliseconds; `secondsMax` is how long the encoder may take, in seconds.
    public init(
        key: String, startMs: Int64, renditions: [Size], tracks: [Track], results: [String: String], secondsMax: Int
    ) {
        (self.key, self.startMs, self.renditions, self.tracks) = (key, startMs, renditions, tracks)
        (self.results, self.secondsMax) = (results, secondsMax)
    }

    /// The bytes of it, JSON with its keys in the order of the alphabet.
    public var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Words and whole numbers: JSON has a form for each.
        return Array((try? encoder.encode(self)) ?? Data())
    }
}
