import CLibav
import Testing
import VigilKit

@testable import Media

/// Decodes the pictures of the kit with libav, and reads the demo's clock in them.
final class KitDecoder {
    private var decoder: VideoDecoder?
    private var format: FrameFormat?

    /// What the camera's clock showed in the picture of a frame, in milliseconds since 1970; nil where no picture came yet.
    func clock(of frame: VigilKit.Frame) throws -> Int64? {
        guard frame.format.codec == .h264 else { return nil }
        if frame.format != format || frame.isDiscontinuous {
            let record = try CodecConfiguration(.h264, parameterSets: frame.format.parameterSets)
            let made: VideoDecoder = try #require(VideoDecoder(record, fast: false))
            (decoder, format) = (made, frame.format)
        }
        var luma: [UInt8] = []
        let isDecoded = frame.data.withUnsafeBytes { bytes in
            decoder?.decode(bytes, pts: frame.presentationTime, isKey: frame.isSync) { picture in
                guard let plane = picture.pointee.data.0 else { return }
                let (stride, width) = (Int(picture.pointee.linesize.0), Int(picture.pointee.width))
                luma = (0..<Int(picture.pointee.height)).flatMap {
                    UnsafeBufferPointer(start: plane + $0 * stride, count: width)
                }
            }
        }
        #expect(isDecoded == true)
        return luma.isEmpty ? nil : MomentTests.clock(luma[...])
    }
}
