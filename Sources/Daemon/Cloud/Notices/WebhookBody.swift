internal import Catalog
internal import Foundation
internal import Server

/// The body of a notice (docs/reference/webhook.md).
struct WebhookBody: Encodable {
    /// What it tells of: always `upload.stage`.
    let type = "upload.stage"
    /// When the stage was reached.
    let timestamp: String
    /// The stage.
    let data: Stage

    struct Stage: Encodable {
        let id: String
        let job, notice: Int64
        let stage, camera, key: String
        let clip: Int64?
        let start: String
        let owner: String
        let note, why: String?
        let url: String
        let bytes, attempt: Int64

        enum CodingKeys: CodingKey {
            case id, job, notice, stage, camera, key, clip, start, owner, note, why, url, bytes, attempt
        }

        /// Writes every key, null ones too.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(job, forKey: .job)
            try container.encode(notice, forKey: .notice)
            try container.encode(stage, forKey: .stage)
            try container.encode(camera, forKey: .camera)
            try container.encode(key, forKey: .key)
            try container.encode(clip, forKey: .clip)
            try container.encode(start, forKey: .start)
            try container.encode(owner, forKey: .owner)
            try container.encode(note, forKey: .note)
            try container.encode(why, forKey: .why)
            try container.encode(url, forKey: .url)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(attempt, forKey: .attempt)
        }
    }

    /// What is told of a notice.
    init(_ notice: WebhookNotice, series: String) {
        let job = notice.job
        timestamp = WallTime(ms: notice.wallMs).rfc3339
        data = Stage(
            id: Self.id(notice, series: series), job: job.id.rawValue, notice: notice.id.number, stage: notice.stage,
            camera: job.camera, key: job.key, clip: job.clip?.rawValue, start: WallTime(ms: job.startWallMs).rfc3339,
            owner: job.owner, note: job.note, why: notice.failure, url: job.url, bytes: job.bytes,
            attempt: notice.attempts + 1)
    }

    /// What names a notice for its receiver, for ever.
    static func id(_ notice: WebhookNotice, series: String) -> String {
        "\(notice.id.upload)-\(notice.id.number)-\(series)"
    }

    /// As it is sent.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and whole numbers: nothing of it can be refused.
        return (try? encoder.encode(self)).map(Array.init) ?? Array("{}".utf8)
    }
}
