import Glibc
import Machines

/// The demo camera's world: a yard, and every twenty seconds a figure that crosses it, small, middling and large in
/// turn. A pure function of time, so picture, sound and detections agree.
struct DemoScene {
    /// A figure comes this often, in milliseconds.
    static let periodMs: Int64 = 20_000
    /// It appears this long after the period's begin and is gone this long after.
    static let figureMs: Range<Int64> = 4_000..<12_000
    /// How far across a figure is when it stands in the picture whole, so that the picture of its event shows it.
    static let seenFrom = 0.25
    /// Flash and beep last this long from each full second on.
    static let flashMs: Int64 = 100

    let width: Int
    let height: Int
    private let name: String
    private let background: [UInt8]

    init(_ options: DemoOptions) {
        width = options.width
        height = options.height
        name = options.name
        var plane = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            // Sky, then ground with darker stripes: something for a detector to hold on to.
            let isSky = y < height * 2 / 5
            for x in 0..<width {
                let ground = 70 + (x * 8 / width + y * 8 / height) % 2 * 14
                plane[y * width + x] = UInt8(isSky ? 170 - y * 60 / height : ground)
            }
        }
        background = plane
    }

    /// The figure at `ms`: how far across it is (0…1) and which share of the height it has; nil when there is none.
    static func figure(at ms: Int64) -> (across: Double, share: Double, level: Sensitivity)? {
        let phase = ((ms % periodMs) + periodMs) % periodMs
        guard figureMs.contains(phase) else { return nil }
        let across = Double(phase - figureMs.lowerBound) / Double(figureMs.upperBound - figureMs.lowerBound)
        switch (ms / periodMs) % 3 {
        case 0: return (across, 0.5, .low)
        case 1: return (across, 0.25, .medium)
        default: return (across, 0.12, .high)
        }
    }

    /// Draws the moment `ms` after the begin, at wall clock `wallMs`, into luma and chroma planes.
    func draw(
        at ms: Int64, wallMs: Int64, luma: UnsafeMutablePointer<UInt8>, lumaStride: Int,
        chroma: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>), chromaStride: Int
    ) {
        background.withUnsafeBufferPointer { source in
            guard let from = source.baseAddress else { return }
            for y in 0..<height { memcpy(luma + y * lumaStride, from + y * width, width) }
        }
        for y in 0..<height / 2 {
            let isSky = y * 2 < height * 2 / 5
            memset(chroma.0 + y * chromaStride, isSky ? 150 : 118, width / 2)
            memset(chroma.1 + y * chromaStride, isSky ? 112 : 124, width / 2)
        }
        var canvas = Canvas(luma: luma, stride: lumaStride, width: width, height: height)
        if let figure = DemoScene.figure(at: ms) { drawFigure(figure.across, figure.share, ms, &canvas) }
        let scale = max(2, width / 320)
        canvas.fill(x: 0, y: 0, width: 31 * (DemoFont.width + 1) * scale, height: (DemoFont.height + 4) * scale, 16)
        canvas.write(DemoScene.clock(wallMs) + " " + name, x: 2 * scale, y: 2 * scale, scale: scale)
        if wallMs % 1000 < DemoScene.flashMs {
            canvas.fill(x: width - height / 6, y: height - height / 6, width: height / 6, height: height / 6, 235)
        }
    }

    private func drawFigure(_ across: Double, _ share: Double, _ ms: Int64, _ canvas: inout Canvas) {
        let tall = Int(Double(height) * share)
        let wide = max(4, tall * 2 / 5)
        let x = Int(across * Double(width + wide)) - wide
        // It bobs as it walks.
        let y = height * 4 / 5 - tall + Int(sin(Double(ms) / 90) * Double(tall) / 30)
        canvas.fill(x: x + wide / 4, y: y, width: wide / 2, height: tall / 4, 205)
        canvas.fill(x: x, y: y + tall / 4, width: wide, height: tall * 2 / 5, 40)
        let step = Int(sin(Double(ms) / 180) * Double(wide) / 4)
        canvas.fill(x: x + wide / 8 + step, y: y + tall * 13 / 20, width: wide / 4, height: tall * 7 / 20, 30)
        canvas.fill(x: x + wide * 5 / 8 - step, y: y + tall * 13 / 20, width: wide / 4, height: tall * 7 / 20, 30)
    }

    /// `2026-01-31 23:59:59.123` in UTC.
    static func clock(_ wallMs: Int64) -> String {
        let time = CivilTime(epochMs: wallMs)
        return "\(time.date) \(time.clock.joined(separator: ":")).\(time.fraction)"
    }
}

/// A luma plane that is drawn on; everything outside of it is cut off.
private struct Canvas {
    let luma: UnsafeMutablePointer<UInt8>
    let stride: Int
    let width: Int
    let height: Int

    mutating func fill(x: Int, y: Int, width: Int, height: Int, _ value: UInt8) {
        let left = max(0, x)
        let right = min(self.width, x + width)
        guard left < right else { return }
        for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
            memset(luma + row * stride + left, Int32(value), right - left)
        }
    }

    mutating func write(_ text: String, x: Int, y: Int, scale: Int) {
        var left = x
        for character in text {
            for (row, bits) in DemoFont.rows(character).enumerated() {
                for column in 0..<DemoFont.width where bits >> UInt8(DemoFont.width - 1 - column) & 1 == 1 {
                    fill(x: left + column * scale, y: y + row * scale, width: scale, height: scale, 235)
                }
            }
            left += (DemoFont.width + 1) * scale
        }
    }
}
