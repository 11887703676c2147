import Glibc

/// The byte stream format of H.264 and H.265 (annex B): NAL units behind start codes.
enum StartCodes {
    /// Whether `bytes` hold a start code anywhere.
    static func containsStartCode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        nextStartCode(bytes, from: 0) != nil
    }

    /// The ranges of the NAL units in `bytes`, without start codes and trailing zeros. What precedes the first start
    /// code is a unit too.
    static func units(of bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var units: [Range<Int>] = []
        var begin = 0
        while begin < bytes.count {
            let code = nextStartCode(bytes, from: begin)
            var end = code ?? bytes.count
            while end > begin, bytes[end - 1] == 0 { end -= 1 }
            if end > begin { units.append(begin..<end) }
            guard let code else { break }
            begin = code + 3
        }
        return units
    }

    /// Where the next 00 00 01 begins. Ones are rare in coded video, so the search goes from one to the next.
    private static func nextStartCode(_ bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var index = from + 2
        while index < bytes.count, let one = memchr(base + index, 1, bytes.count - index) {
            let found = UnsafeRawPointer(one) - base
            if bytes[found - 1] == 0, bytes[found - 2] == 0 { return found - 2 }
            index = found + 1
        }
        return nil
    }
}
