public import Wire

/// What of a camera is downloaded: all that was recorded from `from` to `to`, as one MP4 with holes closed up.
public struct DownloadRequest: Hashable, Sendable, Codable {
    /// The camera's name.
    public let camera: String
    /// The begin.
    public let from: WallTime
    /// The end, at most 31 days later.
    public let to: WallTime

    /// All of a camera from `from` to `to`.
    public init(camera: String, from: WallTime, to: WallTime) {
        (self.camera, self.from, self.to) = (camera, from, to)
    }

    /// A clip of the cloud.
    public init(camera: String, _ slice: CloudSlice) { self.init(camera: camera, from: slice.start, to: slice.end) }
}

/// How far a download is. Kept by an app, it is where the download goes on, also in another run of the app.
public struct DownloadProgress: Hashable, Sendable, Codable {
    /// What is downloaded.
    public let request: DownloadRequest
    /// How many bytes have come.
    public let bytes: Int64
    /// How many there are.
    public let size: Int64
    /// Which bytes they are: the recorder's name for this very movie.
    public let tag: String
    /// The clips that were left out because they cannot be read, with the reasons; nil: none.
    public let skipped: String?

    /// Whether all have come.
    public var isDone: Bool { bytes >= size }
    /// The part that has come, 0 to 1.
    public var fraction: Double { size > 0 ? min(max(Double(bytes) / Double(size), 0), 1) : 0 }
}

/// How a download ended.
public enum DownloadEnd: Hashable, Sendable {
    /// All bytes were handed over.
    case done(DownloadProgress)
    /// A newer one took its place.
    case superseded
    /// ``Downloads/cancel()`` ended it.
    case cancelled
}

/// The downloads of one viewer, one at a time: a newer one cancels the older. What the recorder reads from the store for them is in
/// its cache, which is bounded (`cloud.cache`), so playing and downloading the same fetches it once. Here no more than a piece is
/// held.
///
/// What is thrown is a ``VigilError``, or what the sink throws. Whatever ended a download, it goes on from the last progress that its
/// sink was given.
public actor Downloads {
    /// What a sink is given: bytes that follow those before, and how far the download is with them.
    public typealias Sink = @Sendable (_ bytes: [UInt8], _ progress: DownloadProgress) async throws -> Void
    /// How large a piece may be, in bytes.
    public static let pieceBytes: ClosedRange<Int64> = 65_536...4_194_304

    private let vigil: Vigil
    private let pieceBytes: Int64
    private var last = 0
    private var running: (number: Int, task: Task<DownloadProgress, any Error>)?
    private var cancelled: Int?

    /// No downloads yet. `pieceBytes` are asked for at once, and told as one step of the progress; what is beyond
    /// ``pieceBytes`` counts as its bound.
    public init(_ vigil: Vigil, pieceBytes: Int64 = 1_048_576) {
        self.vigil = vigil
        self.pieceBytes = min(max(pieceBytes, Self.pieceBytes.lowerBound), Self.pieceBytes.upperBound)
    }

    /// Downloads from the begin. Answers when it has ended.
    public func download(_ request: DownloadRequest, sink: @escaping Sink) async throws -> DownloadEnd {
        try await run(request, after: nil, sink)
    }

    /// Goes on with a download: `sink` gets the bytes behind those that `progress` counts. Throws ``VigilError/refused(_:)`` of kind
    /// `conflict` where what is recorded of that time is not the same any more; then begin again.
    public func resume(_ progress: DownloadProgress, sink: @escaping Sink) async throws -> DownloadEnd {
        try await run(progress.request, after: progress, sink)
    }

    /// Ends the download that is under way; what came of it stays with its sink.
    public func cancel() {
        cancelled = running?.number
        running?.task.cancel()
    }

    private func run(
        _ request: DownloadRequest, after progress: DownloadProgress?, _ sink: @escaping Sink
    ) async throws -> DownloadEnd {
        last += 1
        let (number, older, vigil, pieceBytes) = (last, running?.task, vigil, pieceBytes)
        older?.cancel()
        let task = Task {
            // One at a time: the older one has let go of its sink first.
            _ = await older?.result
            return try await vigil.movie(request, after: progress, pieceBytes: pieceBytes, sink: sink)
        }
        running = (number, task)
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        let isNewest = running?.number == number
        if isNewest { running = nil }
        switch result {
        case .success(let progress): return .done(progress)
        case .failure where !isNewest: return .superseded
        case .failure where cancelled == number: return .cancelled
        case .failure(let error):
            try Task.checkCancellation()
            throw error
        }
    }
}
