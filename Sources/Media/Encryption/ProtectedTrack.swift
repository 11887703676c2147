/// What encrypting and decrypting a track's fragments have in common: the track as its plain header has it, and the key.
struct ProtectedTrack: Sendable {
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
    func protect(_ fragment: [UInt8]) throws(EncryptionError) -> (bytes: [UInt8], ranges: [Range<Int>]) {
        let parts = try FragmentParts(fragment, layout, .encrypt)
        guard parts.added.isEmpty else {
            throw EncryptionError(.encrypt, Self.subject, .unsupported("it is encrypted already"))
        }
        guard let protection = protection(of: fragment, parts) else { return (fragment, Self.samples(parts)) }
        let boxes = protection.encoded(at: parts.added.lowerBound - parts.movie.lowerBound)
        // The data offset of `trun` is a signed number of 32 bits.
        guard fragment.count + boxes.count <= FragmentParts.bytesMax else {
            throw EncryptionError(.encrypt, Self.subject, .unsupported("it has \(fragment.count) bytes"))
        }
        let start = parts.media.lowerBound + boxes.count
        return (parts.replacing(fragment, with: boxes), protection.ranges(from: start))
    }

    /// The plain form of an encrypted fragment, its media still encrypted, and which bytes of it are to be decrypted.
    func unprotect(_ fragment: [UInt8]) throws(EncryptionError) -> (bytes: [UInt8], ranges: [Range<Int>]) {
        let parts = try FragmentParts(fragment, layout, .decrypt)
        guard headers != nil else {
            guard parts.added.isEmpty else {
                throw EncryptionError(.decrypt, Self.subject, .unsupported("it is encrypted otherwise"))
            }
            return (fragment, Self.samples(parts))
        }
        guard let contents = parts.protection else {
            throw EncryptionError(.decrypt, Self.subject, .unsupported("it is not encrypted as Vigil does it"))
        }
        guard let protection = SampleProtection(contents, sizes: parts.sizes) else {
            throw EncryptionError(.decrypt, Self.subject, .malformed("its protected ranges do not fit its samples"))
        }
        let start = parts.media.lowerBound - parts.added.count
        return (parts.replacing(fragment, with: []), protection.ranges(from: start))
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
    func protectedBytes(_ fragment: [UInt8]) throws(EncryptionError) -> Int {
        let parts = try FragmentParts(fragment, layout, .encrypt)
        guard let protection = protection(of: fragment, parts) else { return fragment.count }
        return fragment.count + protection.encoded(at: 0).count
    }

    /// Which bytes of a plain fragment's samples are to be encrypted; nil for audio, whose samples are encrypted whole.
    private func protection(of fragment: [UInt8], _ parts: FragmentParts) -> SampleProtection? {
        guard var headers else { return nil }
        var protection = SampleProtection()
        fragment.withUnsafeBytes { buffer in
            var place = parts.media.lowerBound
            for size in parts.sizes {
                // The samples fill the media exactly, so each lies in the fragment.
                let end = place + Int(size)
                protection.append(UnsafeRawBufferPointer(rebasing: buffer[place..<end]), &headers)
                place = end
            }
        }
        return protection
    }

    private static func samples(_ parts: FragmentParts) -> [Range<Int>] {
        var place = parts.media.lowerBound
        return parts.sizes.map { size in
            defer { place += Int(size) }
            return place..<place + Int(size)
        }
    }
}

extension SampleProtection {
    /// The protected ranges of samples that follow each other from `start` on.
    func ranges(from start: Int) -> [Range<Int>] {
        var place = start
        return subsamples.map { part in
            let protected = place + Int(part.clear)
            place = protected + Int(part.protected)
            return protected..<place
        }
    }
}
