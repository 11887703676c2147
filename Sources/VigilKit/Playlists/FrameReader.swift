internal import HTTPTypes
internal import Wire

/// Takes pictures and sound of one view, in the order in which they are shown. The pictures lead; sound goes along.
struct FrameReader {
    private var leading: TrackFollower
    /// The list of the sound; nil where sound itself leads.
    private let soundPath: String?
    private var sound: TrackFollower?
    /// Sound that comes after the last picture.
    private var waiting: [Frame] = []
    private let vigil: Vigil
    private let isLive: Bool

    /// What a session shows live, or a player of its own. Waits for the first picture.
    static func live(_ vigil: Vigil, camera: String, query: [(String, String?)]) async throws -> FrameReader {
        let folder = "/v1/cameras/\(Percent.encode(camera))/live/"
        let response = try await vigil.send(.get, folder + "main.m3u8", query: query)
        let text = String(decoding: try await vigil.collect(response, upTo: 1 << 16), as: UTF8.self)
        // The addresses of the lists carry the view.
        let first = text.split(whereSeparator: \.isNewline).last { !$0.hasPrefix("#") } ?? ""
        guard let mark = first.firstIndex(of: "?") else {
            throw VigilError.strangeAnswer(address: vigil.transport.address, reason: "no playlist of live view")
        }
        let view = first[mark...]
        return FrameReader(
            vigil, folder + first, sound: first.hasPrefix("video") ? folder + "audio.m3u8" + view : nil, isLive: true)
    }

    /// What was recorded.
    static func recorded(_ vigil: Vigil, camera: String, query: [(String, String?)]) async throws -> FrameReader {
        let folder = "/v1/cameras/\(Percent.encode(camera))/play/"
        let query = Percent.query(query)
        return FrameReader(
            vigil, folder + "video.m3u8" + query, sound: folder + "audio.m3u8" + query, isLive: false)
    }

    private init(_ vigil: Vigil, _ path: String, sound: String?, isLive: Bool) {
        (self.vigil, self.isLive, soundPath) = (vigil, isLive, sound)
        leading = TrackFollower(vigil, path: path, isLive: isLive)
    }

    /// What follows; nil where nothing does, empty where nothing has come yet.
    mutating func next(withSound: Bool) async throws -> [Frame]? {
        let step = try await leading.step(waiting: true)
        guard case .frames(let pictures) = step else {
            if case .nothing = step { return [] }
            defer { waiting = [] }
            return waiting.isEmpty ? nil : waiting
        }
        guard withSound, let soundPath else {
            (sound, waiting) = (nil, [])
            return pictures
        }
        if sound == nil {
            let number = isLive ? leading.next.map { max(0, $0.part > 0 ? $0.number : $0.number - 1) } : nil
            sound = TrackFollower(vigil, path: soundPath, isLive: isLive, from: number, anchorsItself: !isLive)
        }
        let end = pictures.map(\.time).max() ?? WallTime(ms: 0)
        if isLive { sound?.anchor = leading.anchor }
        while waiting.last.map({ $0.time < end }) ?? true {
            do {
                guard case .frames(let frames)? = try await sound?.step(waiting: false) else { break }
                waiting += frames
            } catch VigilError.refused(let error) where error.kind == .notFound {
                // The recording has no sound.
                break
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
