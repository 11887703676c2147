import Hashing
import Machines

/// One request of a pusher: its body is taken apart while it comes. Its calls come one after the other.
public actor PushRequest {
    private enum Form {
        case media
        /// A manifest or a playlist: so many bytes have come.
        case list(Int)
    }

    private static let mediaTypes: Set<String> = [
        "video/mp4", "audio/mp4", "application/mp4", "video/iso.segment", "audio/iso.segment",
        "application/octet-stream",
        "application/x-www-form-urlencoded", "video/quicktime",
    ]
    private static let listTypes: Set<String> = [
        "application/dash+xml", "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl",
    ]
    /// How long is waited before a fragment is offered again, in milliseconds.
    private static let againMs: Int64 = 20

    private let point: PublishingPoint
    private let path: PushPath
    private let pusher: PublishingPoint.Pusher
    private let generation: UInt64
    private var form: Form
    private var body = PushedBody()
    private var isOpen = true
    /// How many bytes the point knows to be held here.
    private var heldBytes = 0

    /// A request at `path` below the publishing point. Throws a `PushRefusal` where nothing of it is taken.
    public init(
        to point: PublishingPoint, path: String, contentType: String?, of pusher: PublishingPoint.Pusher
    ) throws(PushRefusal) {
        let now = BootClock.now()
        let place: PushPath
        let form: Form
        let generation: UInt64
        do throws(PushRefusal) {
            place = try PushPath(path)
            form = try Self.form(place, contentType)
            generation = try point.begin(pusher, at: now)
        } catch {
            point.note(error, of: pusher, at: now)
            throw error
        }
        self.point = point
        self.pusher = pusher
        self.generation = generation
        self.path = place
        self.form = form
    }

    deinit { if isOpen { point.end(holding: heldBytes) } }

    /// Takes bytes of the body. Throws a `PushRefusal`, or a `CancellationError` where the task was cancelled while they waited.
    public func take(_ bytes: [UInt8]) async throws {
        try await told {
            point.heard(pusher, at: BootClock.now())
            switch form {
            case .list(let before):
                guard bytes.count <= PushLimits.manifestBytesMax - before else {
                    throw PushRefusal.large("the manifest", most: PushLimits.manifestBytesMax)
                }
                form = .list(before + bytes.count)
            case .media:
                var rest = bytes[...]
                while let piece = try body.next(&rest) { try await take(piece) }
                let more = body.heldBytes - heldBytes
                heldBytes = body.heldBytes
                try point.hold(more)
            }
        }
    }

    /// The body has ended. Throws a `PushRefusal` where it is not whole.
    public func end() async throws {
        defer { close() }
        try await told { if case .media = form { try body.end() } }
    }

    private func close() {
        guard isOpen else { return }
        isOpen = false
        point.end(holding: heldBytes)
    }

    private func told(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let refusal as PushRefusal {
            point.note(refusal, of: pusher, at: BootClock.now())
            throw refusal
        }
    }

    private static func form(_ path: PushPath, _ contentType: String?) throws(PushRefusal) -> Form {
        let type = contentType?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } ?? ""
        if listTypes.contains(type) || ["mpd", "m3u8"].contains(path.ending) { return .list(0) }
        guard type.isEmpty || mediaTypes.contains(type) else {
            throw PushRefusal(
                .unsupported, "\(type.prefix(80)) is not taken here",
                "push CMAF as video/mp4 or audio/mp4, and manifests of DASH or HLS beside it")
        }
        return .media
    }

    private func take(_ piece: PushedBody.Piece) async throws {
        switch piece {
        case .header(let fileType, let movie):
            let tracks = try PushedTrack.tracks(fileType: fileType, movie: movie)
            try point.take(
                header: tracks, digest: SHA256.value(of: fileType + movie), at: path, of: pusher,
                generation: generation, at: BootClock.now())
        case .chunk(let chunk):
            let ids = PushedFragment.trackIDs(of: chunk)
            let header = try point.header(
                of: path, tracks: ids, of: pusher, generation: generation, at: BootClock.now())
            let fragments = try PushedFragment.fragments(of: chunk, tracks: header.tracks)
            let since = BootClock.now()
            while case .again = try point.offer(
                fragments, header: header, of: pusher, generation: generation, since: since, at: BootClock.now())
            {
                try await Task.sleep(for: .milliseconds(Self.againMs))
            }
        }
    }
}
