internal import ArgumentParser
internal import Client

/// `vigil frames CAMERA [--format yuv420p] [--fps 5]`
struct FramesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames", abstract: "Write decoded frames of what a camera sends now, for another program.",
        discussion: """
            Each frame stands behind a head of 48 bytes with its size, its number and its times; docs/reference/http.md has it. \
            With --bare only the frames are written, as ffmpeg's rawvideo and image2pipe read them: yuv420p has no size then, so \
            look it up first. Whoever reads frames counts as a viewer: privacy ends it, and so does reading too slowly. Then the \
            exit status is 1, and standard error has the reason.

            Frames are of the sub-stream where the camera has one: it costs least. What a program recognises in them it tells \
            with "vigil trigger --label".
            """)

    @Argument(help: "The camera.")
    var camera: String

    @Option(
        help: ArgumentHelp("yuv420p (three planes without gaps) or jpeg. Default: yuv420p.", valueName: "format"),
        transform: FramesCommand.format)
    var format = DecodedFormat.yuv420p

    @Option(help: ArgumentHelp("At most so many frames a second, 1 to 30. Default: 5.", valueName: "number"))
    var fps = FrameHead.perSecondStandard

    @Option(help: ArgumentHelp("At most so many pixels wide, 16 to 3840. Default: 640.", valueName: "pixels"))
    var width: Int?

    @Option(
        help: ArgumentHelp("main or sub. Default: sub where the camera has one.", valueName: "stream"),
        transform: FramesCommand.stream)
    var stream: LiveStream?

    @Option(help: ArgumentHelp("End after so many frames.", valueName: "number"))
    var count: Int?

    @Flag(help: "The whole picture, also where a part of it is shown of the camera (its setting viewport).")
    var whole = false

    @Flag(help: "Write frames without heads.")
    var bare = false

    @OptionGroup var socket: SocketOption

    @Sendable private static func format(_ word: String) throws -> DecodedFormat {
        guard let format = DecodedFormat(rawValue: word) else {
            throw ValidationError("--format takes yuv420p or jpeg")
        }
        return format
    }

    @Sendable private static func stream(_ word: String) throws -> LiveStream {
        guard let stream = LiveStream(rawValue: word) else { throw ValidationError("--stream takes main or sub") }
        return stream
    }

    /// As many frames as were wanted.
    private struct Enough: Error {}

    func validate() throws {
        if !FrameHead.perSecond.contains(fps) { throw ValidationError("--fps takes 1 to 30") }
        if let width, !SnapshotWidth.range.contains(width) { throw ValidationError("--width takes 16 to 3840 pixels") }
        if let count, count < 1 { throw ValidationError("--count takes a number from 1") }
    }

    func run() async throws {
        var left = count ?? .max
        do {
            let end = try await socket.ask { client in
                try await client.decodedFrames(
                    camera: camera, format: format, perSecond: fps, width: width, isWhole: whole, stream: stream
                ) { head, content in
                    if bare {
                        if head.content != .word { try Output.write(content) }
                    } else {
                        try Output.write(head.bytes + content)
                    }
                    guard head.content != .word else { return }
                    left -= 1
                    if left == 0 { throw Enough() }
                }
            }
            throw Failure("the frames of \(camera) have ended: \(end.why ?? end.reason); see \"vigil state \(camera)\"")
        } catch is Enough {}
    }
}
