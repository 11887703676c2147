// How old the live frames of the library are when an app has them: `bench-frames SOCKET CAMERA SECONDS`, run by bench/live.py.
// Prints one JSON line: how long the first picture took, the age of each picture at its arrival beyond the first second, in
// milliseconds, and how many came at a time.
import Client
import Foundation

struct Seen: Encodable {
    var firstMs = 0.0
    var ages: [Int64] = []
    var atATime: [Int] = []
}

func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

/// Looks at a camera for so long.
func look(_ vigil: Vigil, _ camera: String, seconds: Int64) async throws -> Seen {
    try await vigil.withSession(camera: camera) { session in
        var seen = Seen()
        let asked = now()
        try await session.startPreview()
        var last: Int64 = 0
        for try await frame in session.frames where frame.format.codec.isVideo {
            let came = now()
            if seen.firstMs == 0 { seen.firstMs = Double(came - asked) }
            if came - asked > seconds * 1_000 { break }
            guard came - asked > 1_000, frame.time.ms > asked else { continue }
            seen.ages.append(came - frame.time.ms)
            // What comes within two milliseconds has come together.
            if came - last <= 2, let count = seen.atATime.popLast() {
                seen.atATime.append(count + 1)
            } else {
                seen.atATime.append(1)
            }
            last = came
        }
        return seen
    }
}

let words = CommandLine.arguments
guard words.count == 4, let seconds = Int64(words[3]) else {
    FileHandle.standardError.write(Data("usage: bench-frames SOCKET CAMERA SECONDS\n".utf8))
    exit(2)
}
let camera = words[2]
let seen = try await Vigil.with(socket: words[1]) { try await look($0, camera, seconds: seconds) }
print(String(decoding: try JSONEncoder().encode(seen), as: UTF8.self))
