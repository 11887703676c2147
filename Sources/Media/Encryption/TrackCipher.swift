/// What encrypting and decrypting a track's fragments have in common: the track as its plain header has it, and the key.
struct TrackCipher: Sendable {
    private static let subject = "a fragment"

    private let layout: TrackLayout
    private let key: MediaKey
    /// Of video: how much of each NAL unit stays clear.
    private let headers: SliceHeaders?

    /// - Throws: `malformed` and `unsupported` about the header.
    init(
        header: [UInt8], key: MediaKey, _ operation: EncryptionError.Operation
    ) throws(EncryptionError) {
        guard let parts = HeaderParts(header) else {
            throw EncryptionError(operation, EncryptedHeader.subject, .malformed("it is no ftyp and moov of one track"))
        }
        layout = parts.layout
        self.key = key
        do throws(BitstreamError) {
            let configuration = try CodecConfiguration(sampleEntry: layout.sampleEntry)
            guard configuration.kind == layout.kind else {
                throw BitstreamError("sample entry", .unsupported("\(configuration.kind) in a track of \(layout.kind)"))
            }
            headers = SliceHeaders(configuration)
        } catch {
            throw EncryptionError(operation, EncryptedHeader.subject, .unsupported("\(error)"))
        }
    }

    /// The encrypted form of a plain fragment, its media still as it was, and which bytes of it are to be encrypted.
    func encryptedForm(of fragment: [UInt8]) throws(EncryptionError) -> (bytes: [UInt8], ranges: [Range<Int>]) {
        let (parts, samples) = try encryptedSamples(of: fragment)
        guard let samples else { return (fragment, Self.samples(parts)) }
        let boxes = samples.encoded(at: parts.added.lowerBound - parts.movie.lowerBound)
        let start = parts.media.lowerBound + boxes.count
        return (parts.replacing(fragment, with: boxes), samples.ranges(from: start))
    }

    /// The plain form of an encrypted fragment, its media still encrypted, and which bytes of it are to be decrypted.
    func plainForm(of fragment: [UInt8]) throws(EncryptionError) -> (bytes: [UInt8], ranges: [Range<Int>]) {
        let parts = try FragmentParts(fragment, layout, .decrypt)
        guard headers != nil else {
            guard parts.added.isEmpty else {
                throw EncryptionError(.decrypt, Self.subject, .unsupported("it is encrypted otherwise"))
            }
            return (fragment, Self.samples(parts))
        }
        guard let contents = parts.encryption else {
            throw EncryptionError(.decrypt, Self.subject, .unsupported("it is not encrypted as Vigil does it"))
        }
        guard let samples = EncryptedSamples(contents, sizes: parts.sizes) else {
            throw EncryptionError(.decrypt, Self.subject, .malformed("its encrypted ranges do not fit its samples"))
        }
        let start = parts.media.lowerBound - parts.added.count
        return (parts.replacing(fragment, with: []), samples.ranges(from: start))
    }

    /// Encrypts or decrypts ranges of `bytes` in place, each apart.
    func apply(
        _ operation: EncryptionError.Operation, to bytes: inout [UInt8], _ ranges: [Range<Int>]
    ) throws(EncryptionError) {
        let cipher = try BlockCipher(key, operation)
        let hasPattern = headers != nil
        let result = bytes.withUnsafeMutableBytes { buffer in
            do throws(EncryptionError) {
                for range in ranges {
                    try cipher.apply(to: UnsafeMutableRawBufferPointer(rebasing: buffer[range]), pattern: hasPattern)
                }
                return Result<Void, EncryptionError>.success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// How many bytes a plain fragment has when it is encrypted.
    func encryptedBytes(of fragment: [UInt8]) throws(EncryptionError) -> Int {
        let (_, samples) = try encryptedSamples(of: fragment)
        return fragment.count + (samples?.encodedBytes ?? 0)
    }

    /// Where the parts of a plain fragment lie, and which bytes of its samples are to be encrypted; nil for audio, whose samples
    /// are encrypted whole.
    private func encryptedSamples(
        of fragment: [UInt8]
    ) throws(EncryptionError) -> (parts: FragmentParts, samples: EncryptedSamples?) {
        let parts = try FragmentParts(fragment, layout, .encrypt)
        guard parts.added.isEmpty else {
            throw EncryptionError(.encrypt, Self.subject, .unsupported("it is encrypted already"))
        }
        guard var headers else { return (parts, nil) }
        var samples = EncryptedSamples()
        fragment.withUnsafeBytes { buffer in
            var place = parts.media.lowerBound
            for size in parts.sizes {
                // The samples fill the media exactly, so each lies in the fragment.
                let end = place + Int(size)
                samples.append(UnsafeRawBufferPointer(rebasing: buffer[place..<end]), &headers)
                place = end
            }
        }
        guard parts.canGrow(by: samples.encodedBytes) else {
            throw EncryptionError(.encrypt, Self.subject, .unsupported("it has too many slices"))
        }
        return (parts, samples)
    }

    private static func samples(_ parts: FragmentParts) -> [Range<Int>] {
        var place = parts.media.lowerBound
        return parts.sizes.map { size in
            defer { place += Int(size) }
            return place..<place + Int(size)
        }
    }
}

extension EncryptedSamples {
    /// The encrypted ranges of samples that follow each other from `start` on.
    func ranges(from start: Int) -> [Range<Int>] {
        var place = start
        return subsamples.map { part in
            let encrypted = place + Int(part.clear)
            place = encrypted + Int(part.encrypted)
            return encrypted..<place
        }
    }
}
