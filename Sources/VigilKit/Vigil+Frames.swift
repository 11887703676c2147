internal import Foundation
internal import HTTPTypes
public import Wire

/// Why decoded frames ended.
public struct FramesEnd: Hashable, Sendable {
    /// In one word: `privacy`, `draining`, `removed`, `slow`, `expired`, `left`, `budget`, `memory`, `undecodable`; `unsaid`
    /// where the connection ended without one.
    public let reason: String
    /// In a sentence, where the word does not say it all.
    public let why: String?
}

extension Vigil {
    /// Hands decoded frames of what a camera sends now to `sink`, each with its head, until they end; gives why. What stands
    /// behind a head whose content is `word` is a `FramesWord`: the camera was lost, and every 20 s that it still is.
    ///
    /// - Parameters:
    ///   - camera: the name of the camera.
    ///   - format: how the frames are coded.
    ///   - perSecond: the most frames a second, `FrameHead.perSecond`.
    ///   - width: the most pixels across, 16…3840; nil: 640.
    ///   - isWhole: whether they are the whole picture; else they are the part that is shown of the camera.
    ///   - stream: nil: the sub-stream of a camera that has one.
    ///   - sink: takes a head and its frame; while it works the next frame waits.
    /// - Throws: `VigilError` where they are refused, or what comes is not understood; what `sink` throws.
    public func decodedFrames(
        camera: String, format: DecodedFormat = .yuv420p, perSecond: Int = FrameHead.perSecondStandard,
        width: Int? = nil, isWhole: Bool = false, stream: LiveStream? = nil,
        sink: (FrameHead, [UInt8]) async throws -> Void
    ) async throws -> FramesEnd {
        let path = "/v1/cameras/\(Percent.encode(camera))/frames"
        let response = try await send(
            .get, path,
            query: [
                ("format", format.rawValue), ("fps", String(perSecond)), ("stream", stream?.rawValue),
            ] + Self.wish(width, isWhole))
        var reader = FramesReader()
        for try await bytes in response.body {
            guard let items = reader.take(bytes) else {
                throw VigilError.strangeAnswer(address: transport.address, reason: "GET \(path)")
            }
            for item in items {
                if item.head.content == .word,
                    let word = try? JSONDecoder().decode(FramesWord.self, from: Data(item.content)),
                    let ended = word.ended
                {
                    return FramesEnd(reason: ended, why: word.why)
                }
                try await sink(item.head, item.content)
            }
        }
        return FramesEnd(reason: "unsaid", why: nil)
    }
}
