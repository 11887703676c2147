internal import Foundation
internal import Media
package import Policies

/// What a configuration may need of this machine at most: the bounds of everything that its cameras may hold at once, added up.
/// `vigil check` shows it; the limits of the service are sized by it.
package struct SiteNeed: Hashable, Sendable, Encodable {
    /// Memory, threads, files.
    package struct Amount: Hashable, Sendable, Encodable {
        /// Bytes of memory.
        package var memoryBytes: Int
        /// Threads.
        package var threads: Int
        /// Open descriptors.
        package var files: Int

        static let none = Amount(memoryBytes: 0, threads: 0, files: 0)

        static func + (lhs: Amount, rhs: Amount) -> Amount {
            Amount(
                memoryBytes: lhs.memoryBytes + rhs.memoryBytes, threads: lhs.threads + rhs.threads,
                files: lhs.files + rhs.files)
        }
    }

    /// What one camera, or one part of Vigil, may need.
    package struct Camera: Hashable, Sendable, Encodable {
        /// Its name.
        package let name: String
        /// At most.
        package let need: Amount
    }

    /// The cameras, in the order of the file.
    package let cameras: [Camera]
    /// What Vigil needs besides, by what it is for; parts that the configuration has no use for are left out.
    package let parts: [Camera]
    /// All parts together.
    package let vigil: Amount
    /// All together.
    package let total: Amount

    /// What `configuration` may need, with the policies that its cameras follow.
    package init(_ configuration: Configuration, policies: some Sequence<PolicyDocument>) {
        cameras = configuration.cameras.map { Camera(name: $0.name, need: Self.need($0)) }
        parts = Self.parts(configuration, policies.map(\.cloud))
        vigil = parts.map(\.need).reduce(.none, +)
        total = cameras.map(\.need).reduce(vigil, +)
    }

    private static func need(_ camera: Configuration.Camera) -> Amount {
        let stream = Amount(
            memoryBytes: InputLimits().bytesMax + CameraStream.bytesMax,
            // A stream has one dial at a time (`OpenDials`).
            threads: InputLimits.threadsMax, files: InputLimits.descriptorsMax)
        // The ring; the machine's queue and that of the clips; of one clip that is written and two that are closed, two files
        // each, and the folder.
        var need =
            stream + Amount(memoryBytes: SiteBuilder.ringBytes + 2 * ClipPace.chunkBytes, threads: 2, files: 7)
        if camera.sub != nil { need = need + stream }
        if camera.isPushed {
            let points = [camera.main, camera.sub].count { $0?.isPushed == true }
            need = need + Amount(memoryBytes: points * PublishingPoint.bytesMax, threads: 0, files: 0)
        }
        let files = [camera.main, camera.sub].count { $0?.isFile == true }
        need = need + Amount(memoryBytes: files * InputLimits().fileBytesMax, threads: 0, files: 0)
        if camera.detection != .off {
            let waiting = MotionConfiguration().waitingBytesMax
            need = need + Amount(memoryBytes: DecoderNeed.bytesMax + waiting, threads: 0, files: 0)
        }
        return need
    }

    /// The limits that fit, as a drop-in of the unit has them.
    package var unitLines: [String] {
        let mebibytes = (total.memoryBytes + (1 << 20) - 1) >> 20
        return ["MemoryMax=\(mebibytes)M", "TasksMax=\(total.threads)", "LimitNOFILE=\(total.files)"]
    }
}
