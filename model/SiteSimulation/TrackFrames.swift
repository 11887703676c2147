internal import Foundation

/// Reads the frames out of a track file without any index: walks its boxes and takes the marks from each `mdat`.
enum TrackFrames {
    /// A frame in a file.
    struct Found {
        let camera: Int
        let number: Int
        let isVideo: Bool
    }

    /// What a file holds, or in words what is wrong with it.
    static func frames(path: String, upTo bytes: Int64? = nil) -> Result<[Found], Trouble> {
        guard let data = FileManager.default.contents(atPath: path) else { return .failure(Trouble("cannot be read")) }
        if let bytes, data.count != bytes {
            return .failure(Trouble("has \(data.count) bytes, its row says \(bytes)"))
        }
        let file = [UInt8](data)
        var found: [Found] = []
        var offset = 0
        while offset < file.count {
            guard offset + 8 <= file.count else { return .failure(Trouble("a box header is torn at \(offset)")) }
            let size = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
            guard size >= 8, offset + size <= file.count else {
                return .failure(Trouble("box \(type) is torn at \(offset)"))
            }
            if type == "mdat" {
                var at = offset + 8
                while at < offset + size {
                    guard let mark = FrameMark.decode(file[at..<min(at + FrameMark.bytes, offset + size)]) else {
                        return .failure(Trouble("no frame where one should be, at \(at)"))
                    }
                    found.append(Found(camera: mark.camera, number: mark.number, isVideo: mark.isVideo))
                    at += FrameMark.bytes
                }
            }
            offset += size
        }
        return .success(found)
    }

    /// What is wrong with a file.
    struct Trouble: Error {
        let words: String

        init(_ words: String) { self.words = words }
    }
}
