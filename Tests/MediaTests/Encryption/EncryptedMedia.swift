@testable import Media

/// The streams that are encrypted in the tests, beside those of `TestMedia`: what changes the form of slice headers.
enum EncryptedMedia {
    private static let picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2,noise=alls=12:allf=t"]

    static let names = [
        "h264", "h264B", "cavlc", "slices", "manySlices", "fields", "h265", "h265Main10", "h265Slices", "aac", "opus",
    ]

    static let cavlc = Result {
        try h264(["-g", "25", "-x264-params", "cabac=0:bframes=3:weightb=1:weightp=2:ref=5:b-pyramid=normal"])
    }
    static let slices = Result { try h264(["-g", "25", "-x264-params", "slices=6:bframes=2:open-gop=1"]) }
    /// More slices in a picture than `saiz` can tell.
    static let manySlices = Result { try h264(["-g", "25", "-x264-params", "slice-max-size=150:bframes=0"]) }
    static let fields = Result { try h264(["-g", "25", "-x264-params", "interlaced=1:bframes=2:ref=4"]) }
    static let h265Main10 = Result {
        try h265(["-pix_fmt", "yuv420p10le"], "bframes=4:b-pyramid=1:weightb=1:weightp=1:ref=5")
    }
    static let h265Slices = Result {
        try h265(
            ["-pix_fmt", "yuv420p"], "ctu=16:min-cu-size=8:slices=2:wpp=1:bframes=2:repeat-headers=1:no-deblock=1:sao=0"
        )
    }

    static func stream(_ name: String) throws -> TestStream {
        switch name {
        case "cavlc": try cavlc.get()
        case "slices": try slices.get()
        case "manySlices": try manySlices.get()
        case "fields": try fields.get()
        case "h265Main10": try h265Main10.get()
        case "h265Slices": try h265Slices.get()
        default: try TrackWriterTests.stream(name)
        }
    }

    private static func h264(_ arguments: [String]) throws -> TestStream {
        try TestStream(
            picture + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-video_track_timescale", "90000"] + arguments,
            codec: "h264", timescale: 90_000)
    }

    private static func h265(_ arguments: [String], _ parameters: String) throws -> TestStream {
        try TestStream(
            picture + [
                "-c:v", "libx265", "-tag:v", "hvc1", "-video_track_timescale", "90000", "-x265-params",
                "keyint=25:min-keyint=25:scenecut=0:open-gop=0:log-level=error:" + parameters,
            ] + arguments, codec: "h265", timescale: 90_000)
    }
}
