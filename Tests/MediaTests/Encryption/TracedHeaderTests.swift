import Testing

@testable import Media

@Suite struct TracedHeaderTests {
    @Test(
        "The header of every slice ends where ffmpeg's trace of it ends",
        arguments: EncryptedMedia.names.filter { $0 != "aac" && $0 != "opus" })
    func headers(name: String) throws {
        let stream = try EncryptedMedia.stream(name)
        let traced = try Self.traced(stream.path)
        var headers = try #require(SliceHeaders(stream.configuration))
        var read: [Int] = []
        for sample in stream.samples {
            sample.data.withUnsafeBytes { bytes in
                for range in NALUnits(bytes, framing: .lengthPrefixed(bytes: 4)) {
                    let unit = UnsafeRawBufferPointer(rebasing: bytes[range])
                    if let clear = headers.clearBytes(of: unit) {
                        read.append(clear - Self.escapes(unit.prefix(clear)))
                    }
                }
            }
        }
        #expect(read.count >= stream.samples.count)
        #expect(read == traced)
    }

    /// Emulation prevention bytes, which the trace does not count.
    private static func escapes(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        var (zeros, count) = (0, 0)
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                (zeros, count) = (0, count + 1)
            } else {
                zeros = byte == 0 ? zeros + 1 : 0
            }
        }
        return count
    }

    /// Bytes of each slice header, the NAL header included, as ffmpeg reads it.
    private static func traced(_ path: String) throws -> [Int] {
        let arguments = ["-nostats", "-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"]
        var (ends, isSlice) = ([Int](), false)
        for line in try Tool.run("ffmpeg", arguments).err.split(separator: "\n") where line.hasPrefix("[trace_headers")
        {
            let words = line.split(separator: "]", maxSplits: 1).last?.split(separator: " ") ?? []
            guard let place = words.first.flatMap({ Int($0) }), let equals = words.firstIndex(of: "="), equals > 1
            else {
                isSlice = words.first == "Slice"
                if isSlice { ends.append(0) }
                continue
            }
            if isSlice { ends[ends.count - 1] = (place + words[equals - 1].count + 7) / 8 }
        }
        return ends
    }
}
