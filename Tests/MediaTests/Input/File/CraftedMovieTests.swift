import Foundation
import Machines
import Testing

@testable import Media

/// Files as cameras, whose times, sizes and counts are nonsense (H8): each gives frames or an error. A trap ends the process,
/// and with it the test.
@Suite("Crafted movies", .serialized)
struct CraftedMovieTests {
    /// Stops its reader after some frames.
    private final class Bounded: InputSink {
        let sink = CollectingSink()
        private let stop: StopSignal
        private let most: Int

        init(_ stop: StopSignal, most: Int) {
            self.stop = stop
            self.most = most
        }

        func dialed(_ streams: [StreamDescription]) { sink.dialed(streams) }
        func frame(_ frame: Frame) {
            sink.frame(frame)
            if sink.seen.frames.count >= most { stop.raise() }
        }
        func repaired(_ report: RepairReport) { sink.repaired(report) }
        func ended(_ end: InputEnd, counts: InputCounts) { sink.ended(end, counts: counts) }
    }

    /// The names are numbers, so that no case is made before the first is run.
    private static let count = 168

    private static let movies = Result {
        CraftedMovie.cases(video: try TestMedia.h264Small.get())
    }

    @Test("are as many as there are cases, and the good one among them is read whole (H8)")
    func good() throws {
        let movies = try Self.movies.get()
        #expect(movies.count == Self.count)
        #expect(try frames(of: movies[0].bytes, looped: false).count == 6)
    }

    @Test("of more tracks or frames than are read are refused by name (H1)")
    func tooMany() throws {
        let video = try TestMedia.h264Small.get()
        let good = CraftedMovie.good(video)
        for (movie, bound) in [
            (CraftedMovie(tracks: .init(repeating: good, count: InputLimits.fileTracksMax + 1)), "tracks of a file"),
            (CraftedMovie(tracks: [good.claiming(UInt32(LibavProcess.framesMax) + 1)]), "frames of a track"),
        ] {
            let maker = try MediaMaker()
            defer { maker.remove() }
            let path = maker.path("movie.mp4")
            try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
            let reader = FileReader(
                path: path, looped: false, isPaced: false, sink: CollectingSink(), pool: SlabPool(),
                limits: InputLimits(),
                stop: StopSignal())
            let fault = #expect(throws: InputFault.self) { try reader.run() }
            guard case .failed(.budget, let detail)? = fault else {
                Issue.record("\(bound): \(String(describing: fault))")
                continue
            }
            #expect(detail.contains(bound) && detail.contains("ffmpeg -c copy"), "\(detail)")
        }
    }

    @Test("give frames or an error, however long they are read (H8)", arguments: 0..<count)
    func read(number: Int) throws {
        let movies = try Self.movies.get()
        let movie = try #require(movies.indices.contains(number) ? movies[number] : nil)
        for looped in [false, true] {
            let frames = try frames(of: movie.bytes, looped: looped)
            for track in Set(frames.map(\.track)) {
                let own = frames.filter { $0.track == track }
                #expect(zip(own, own.dropFirst()).allSatisfy { $0.dts < $1.dts }, "\(movie.name)")
                #expect(own.allSatisfy { $0.dts <= $0.pts }, "\(movie.name)")
            }
            // And those who take the frames can do with them what they do.
            var maker = FragmentMaker()
            for frame in frames { maker.append(frame) }
            try? maker.sort()
            for track in maker.tracks.keys { _ = maker.cut(track, isLast: true)?.bytes }
        }
    }

    @Test("are scanned and looked at like any other file (H8)", arguments: 0..<count)
    func scanned(number: Int) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let movies = try Self.movies.get()
        let movie = try #require(movies.indices.contains(number) ? movies[number] : nil)
        let path = maker.path("movie.mp4")
        try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
        guard let scanned = try? TrackScanner.scan(path: path) else { return }
        let index = try FragmentIndex(decoding: scanned.index.encoded())
        #expect(index == scanned.index, "\(movie.name)")
        let files = ClipFiles(
            root: maker.folder.path, tracks: [.init(kind: scanned.kind, path: "movie.mp4", index: index)])
        var plan = ExportPlan(fromMs: 0, toMs: .max)
        guard (try? plan.add(files, startMs: 0)) != nil, let export = try? ClipMovie(plan) else { return }
        #expect(try export.read(1 << 20, at: 0).count == Int(export.summary.bytes), "\(movie.name)")
    }

    /// What is read of a movie until it ends, or gives 40 frames, or a third of a second has passed.
    private func frames(of movie: [UInt8], looped: Bool) throws -> [Frame] {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let path = maker.path("movie.mp4")
        try Data(movie).write(to: URL(fileURLWithPath: path))
        let stop = StopSignal()
        let sink = Bounded(stop, most: 40)
        let deadline = DispatchWorkItem { stop.raise() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3, execute: deadline)
        defer { deadline.cancel() }
        let reader = FileReader(
            path: path, looped: looped, isPaced: false, sink: sink, pool: SlabPool(), limits: InputLimits(), stop: stop)
        #expect(throws: InputFault.self) { try reader.run() }
        reader.finish()
        return sink.sink.seen.frames
    }
}
