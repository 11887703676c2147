internal import Wire

/// Takes pictures and sound of what was recorded, in the order in which they are shown. The pictures lead; sound goes along.
struct FrameReader {
    private var pictures: TrackFollower
    /// Nil where the recording has none.
    private var sound: TrackFollower?
    /// Sound that comes after the last picture.
    private var waiting: [Frame] = []

    /// What `query` names of a camera.
    init(_ vigil: Vigil, camera: String, query: [(String, String?)]) {
        let folder = "/v1/cameras/\(Percent.encode(camera))/play/"
        let query = Percent.query(query)
        pictures = TrackFollower(vigil, path: folder + "video.m3u8" + query)
        sound = TrackFollower(vigil, path: folder + "audio.m3u8" + query)
    }

    /// What follows; nil where nothing does, empty where nothing has come yet.
    mutating func next() async throws -> [Frame]? {
        let step = try await pictures.step()
        guard case .frames(let pictures) = step else {
            if case .nothing = step { return [] }
            defer { waiting = [] }
            return waiting.isEmpty ? nil : waiting
        }
        let end = pictures.map(\.time).max() ?? WallTime(ms: 0)
        while waiting.last.map({ $0.time < end }) ?? true {
            do {
                guard case .frames(let frames)? = try await sound?.step() else { break }
                waiting += frames
            } catch VigilError.refused(let error) where error.kind == .notFound {
                sound = nil
            }
        }
        let due = waiting.prefix { $0.time <= end }
        waiting.removeFirst(due.count)
        return Self.merged(pictures, Array(due))
    }

    /// Both by the time at which they are shown; pictures stay in the order of decoding.
    private static func merged(_ pictures: [Frame], _ sound: [Frame]) -> [Frame] {
        var (merged, rest) = ([Frame](), sound[...])
        for picture in pictures {
            let heard = rest.prefix { $0.time <= picture.time }
            merged += heard
            rest = rest.dropFirst(heard.count)
            merged.append(picture)
        }
        return merged + rest
    }
}
