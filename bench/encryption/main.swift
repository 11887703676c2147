// How fast track files are encrypted, decrypted, and their encrypted sizes told: `cloud.encryption` does so with each byte that is
// sent or read back.
//   bench-encryption [--seconds S] FILE…
// FILE: a track file of a clip, such as those below `clips` in a storage root. Prints a table in Markdown.
import Foundation
import Media

var (seconds, files) = (2.0, [String]())
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
    if word == "--seconds" { seconds = Double(words.popFirst() ?? "") ?? seconds } else { files.append(word) }
}
guard !files.isEmpty else { fail("no file; `make run` leaves some below vigil-demo/clips") }

let some = [UInt8](repeating: 7, count: MediaKey.partBytes)
guard let key = MediaKey(key: some, initialisationVector: some, identifier: some) else { exit(2) }

/// Says what is wrong, and ends.
func fail(_ why: String) -> Never {
    FileHandle.standardError.write(Data("bench-encryption: \(why)\n".utf8))
    exit(1)
}

/// How many megabytes a second of processor time takes, over all fragments again and again.
@MainActor func rate(_ fragments: [[UInt8]], _ work: ([UInt8]) throws -> Void) rethrows -> Double {
    var bytes = 0
    let begun = clock()
    repeat {
        for fragment in fragments {
            try work(fragment)
            bytes += fragment.count
        }
    } while Double(clock() - begun) < seconds * Double(CLOCKS_PER_SEC)
    return Double(bytes) / 1e6 / (Double(clock() - begun) / Double(CLOCKS_PER_SEC))
}

print("| file | MB | fragments | encrypted, MB/s | decrypted, MB/s | size alone, MB/s | longer, bytes a fragment |")
print("|---|--:|--:|--:|--:|--:|--:|")
for file in files {
    let index = try TrackScanner.scan(path: file).index
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    let header = Array(bytes[..<Int(index.headerBytes)])
    let plain = index.entries.map { Array(bytes[Int($0.offset)..<Int($0.endOffset)]) }
    let encryption = try TrackEncryption(header: header, key: key)
    let decryption = try TrackDecryption(encryptedHeader: encryption.header, key: key)
    let encrypted = try plain.map { try encryption.encrypt(fragment: $0) }
    guard try encrypted.map({ try decryption.decrypt(fragment: $0) }) == plain else {
        fail("\(file): what is decrypted is not what was encrypted")
    }
    let rates = [
        try rate(plain) { _ = try encryption.encrypt(fragment: $0) },
        try rate(encrypted) { _ = try decryption.decrypt(fragment: $0) },
        try rate(plain) { _ = try encryption.encryptedBytes(ofFragment: $0) },
    ]
    let longer = (encrypted.reduce(0) { $0 + $1.count } - plain.reduce(0) { $0 + $1.count }) / max(plain.count, 1)
    print(
        "| \(URL(filePath: file).pathExtension) | \(bytes.count / 1_000_000) | \(plain.count) | "
            + rates.map { String(Int($0)) }.joined(separator: " | ") + " | \(longer) |")
}
