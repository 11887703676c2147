import Machines
import Synchronization

@testable import Media

/// A file in the place of a camera: whatever it holds, it gives good frames or a reason.
enum FileTarget {
    private static let framesMax = 4_000

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let path = ScratchFile.write("camera", bytes)
        let frames = read(path, looped: false, framesMax: framesMax)
        // A second round through the file, where the first gave something.
        if frames > 0, frames < 200 { _ = read(path, looped: true, framesMax: 2 * frames + 1) }
    }

    private static let pool = SlabPool(slabBytes: 64 << 10, idleMax: 8)

    private static func read(_ path: String, looped: Bool, framesMax: Int) -> Int {
        let stop = StopSignal()
        let checker = FrameChecker { if $1 >= framesMax { stop.raise() } }
        var limits = InputLimits()
        limits.frameBytesMax = 1 << 20
        limits.silenceMs = 2_000
        let reader = FileReader(
            path: path, looped: looped, isPaced: false, sink: checker, pool: pool, limits: limits, stop: stop)
        let fault: InputFault
        do throws(InputFault) {
            try reader.run()
        } catch {
            fault = error
        }
        reader.finish()
        if case .failed(_, let detail) = fault.end { hold(!detail.isEmpty, "a failure has a reason") }
        let seen = checker.seen
        hold(reader.counts.frames == UInt64(seen.frames), "what is counted is what was handed over")
        return seen.frames
    }
}
