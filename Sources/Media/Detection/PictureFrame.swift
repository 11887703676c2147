import CLibav

/// A picture in the form in which JPEG takes it, with its own memory.
final class PictureFrame {
    let frame: UnsafeMutablePointer<AVFrame>
    let width: Int
    let height: Int

    private init?(width: Int, height: Int, _ format: AVPixelFormat) {
        guard let frame = av_frame_alloc() else { return nil }
        self.frame = frame
        (self.width, self.height) = (width, height)
        frame.pointee.format = format.rawValue
        frame.pointee.width = Int32(clamping: width)
        frame.pointee.height = Int32(clamping: height)
    }

    /// A dark picture of even size; nil where there is no memory.
    convenience init?(width: Int, height: Int) {
        self.init(width: width, height: height, AV_PIX_FMT_YUVJ420P)
        frame.pointee.color_range = AVCOL_RANGE_JPEG
        guard av_frame_get_buffer(frame, 0) >= 0 else { return nil }
        for plane in 0..<3 {
            guard let data = vigil_plane(frame, Int32(clamping: plane)) else { return nil }
            let rows = plane == 0 ? height : height / 2
            data.update(
                repeating: plane == 0 ? 16 : 128, count: Int(vigil_stride(frame, Int32(clamping: plane))) * rows)
        }
    }

    /// A picture of even size in memory of somebody else, which outlives it: three planes without gaps. Nil where there is no memory.
    convenience init?(width: Int, height: Int, in memory: UnsafeMutableRawPointer) {
        self.init(width: width, height: height, AV_PIX_FMT_YUV420P)
        let pixels = memory.assumingMemoryBound(to: UInt8.self)
        frame.pointee.data.0 = pixels
        frame.pointee.data.1 = pixels + width * height
        frame.pointee.data.2 = pixels + width * height * 5 / 4
        frame.pointee.linesize.0 = Int32(clamping: width)
        frame.pointee.linesize.1 = Int32(clamping: width / 2)
        frame.pointee.linesize.2 = Int32(clamping: width / 2)
    }

    /// A small copy of a decoded picture; nil where it cannot be made.
    convenience init?(_ picture: VideoDecoder.Picture, aspect: Double, rotation: PictureRotation) {
        let size = PictureScaler.size(
            width: Int(picture.pointee.width), height: Int(picture.pointee.height), aspect: aspect,
            widthMax: ThumbnailSheet.widthMax, heightMax: ThumbnailSheet.heightMax)
        self.init(width: size.width, height: size.height)
        guard PictureScaler.scale(picture, into: frame, rotation: rotation) else { return nil }
    }

    deinit {
        var freed: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&freed)
    }

    /// Copies a picture to a place of this one, where it fits.
    func draw(_ other: PictureFrame, x: Int, y: Int) {
        guard x >= 0, y >= 0, x + other.width <= width, y + other.height <= height else { return }
        for plane in 0..<3 {
            let shift = plane == 0 ? 0 : 1
            guard let from = vigil_plane(other.frame, Int32(clamping: plane)),
                let to = vigil_plane(frame, Int32(clamping: plane))
            else {
                return
            }
            let (fromStride, toStride) = (
                Int(vigil_stride(other.frame, Int32(clamping: plane))), Int(vigil_stride(frame, Int32(clamping: plane)))
            )
            for row in 0..<other.height >> shift {
                (to + ((y >> shift) + row) * toStride + (x >> shift)).update(
                    from: from + row * fromStride, count: other.width >> shift)
            }
        }
    }
}
