import Machines
import Media

/// Looks for motion in a media file, as fast as it can be read: the same frames, decoder and model as for a camera.
/// The tests of the detector share it, by a link.
enum DetectionRun {
    /// Reads the file at `path` to its end and hands out each observation, in order, on the calling thread. Blocking.
    /// The pictures are turned as `rotation` says. Gives what it cost. Throws when the file cannot be read or holds no video
    /// that is understood.
    static func run(
        path: String, configuration: MotionConfiguration = MotionConfiguration(),
        rotation: PictureRotation = .none, deliver: @escaping (MotionObservation) -> Void
    ) throws(DetectionError) -> MotionCost {
        let sink = Feeder(MotionAnalyser(configuration, deliver: deliver), rotation)
        let reader = FileReader(
            path: path, looped: false, isPaced: false, sink: sink, pool: SlabPool(), limits: InputLimits(),
            stop: StopSignal())
        do throws(InputFault) {
            try reader.run()
        } catch {
            reader.finish()
            sink.analyser.finish()
            if case .failed(let failure, let detail) = error, failure != .ended {
                throw DetectionError(path: path, detail: detail)
            }
        }
        var cost = sink.analyser.cost
        guard cost.observed > 0 else {
            throw DetectionError(path: path, detail: "it holds no video that can be decoded")
        }
        cost.fed = sink.fed
        return cost
    }

    /// `@unchecked`: the reader calls it on the one thread that runs it.
    private final class Feeder: InputSink, @unchecked Sendable {
        let analyser: MotionAnalyser
        let rotation: PictureRotation
        private(set) var fed: UInt64 = 0

        init(_ analyser: MotionAnalyser, _ rotation: PictureRotation) {
            (self.analyser, self.rotation) = (analyser, rotation)
        }

        func dialed(_ streams: [StreamDescription]) {}
        func frame(_ frame: Frame) {
            guard frame.kind == .video else { return }
            fed += 1
            analyser.take(frame)
        }
        func repaired(_ report: RepairReport) {}
        func ended(_ end: InputEnd, counts: InputCounts) {}
    }
}

/// Why motion could not be looked for in a file.
struct DetectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    let path: String
    /// What is wrong.
    let detail: String

    /// Both.
    var description: String { "cannot look for motion in \(path): \(detail)" }
}
