internal import Catalog
internal import Foundation
internal import Machines
internal import Policies
internal import Synchronization

/// Which clips get a job when they are opened, as configuration and policies in force say.
final class UploadChoices: Sendable {
    private struct State {
        var store: CloudSettings.Store?
        var cameras: [String: (rules: CloudRules, policy: String)] = [:]
    }

    private let state = Mutex(State())
    private let keys: ClipKeys

    init(keys: ClipKeys) { self.keys = keys }

    /// Another configuration is in force.
    func change(_ loaded: LoadedConfiguration) {
        var cameras: [String: (rules: CloudRules, policy: String)] = [:]
        for camera in loaded.configuration.cameras {
            guard let policy = loaded.policies[camera.policy], policy.cloud.upload != .none else { continue }
            cameras[camera.name] = (policy.cloud, policy.name)
        }
        state.withLock { [store = loaded.configuration.cloud?.store] in
            $0 = State(store: store, cameras: cameras)
        }
    }

    /// The job of a clip that is being opened; nil where its policy sends none.
    func job(camera: String, key: String) -> NewUpload? {
        let (store, found) = state.withLock { ($0.store, $0.cameras[camera]) }
        guard let store, let (rules, policy) = found else { return nil }
        return NewUpload(
            choice: rules.upload == .all ? .all : .events(levels: rules.levels, causes: rules.causes),
            store: store.name, url: store.playURL(of: key), owner: policy,
            isGuarded: rules.keepLocal == .untilUploaded, isLive: rules.isLive, keyID: keys.idForNew,
            kept: UploadRecord.new(rules.encode))
    }

    /// The job of a clip that somebody asks for; nil where no store is configured. What its camera's policy says is made of it, if
    /// that sends clips.
    func job(pushed key: String, camera: String, owner: String, note: String?) -> NewUpload? {
        let (store, found) = state.withLock { ($0.store, $0.cameras[camera]) }
        return store.map {
            NewUpload(
                store: $0.name, url: $0.playURL(of: key), owner: owner, note: note, keyID: keys.idForNew,
                kept: UploadRecord.new(found?.rules.encode ?? .none))
        }
    }
}

/// How the catalog keeps the record of a job's machine.
enum UploadRecord {
    /// A record, and beside it what is to be made of the clip once it is there.
    private struct Form: Codable {
        let record: Upload.Record
        let encode: CloudRules.Encode

        enum CodingKeys: String, CodingKey { case encode }

        init(_ record: Upload.Record, _ encode: CloudRules.Encode) { (self.record, self.encode) = (record, encode) }

        init(from decoder: any Decoder) throws {
            record = try Upload.Record(from: decoder)
            let word = try? decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .encode)
            encode = word.flatMap(CloudRules.Encode.init) ?? .none
        }

        func encode(to encoder: any Encoder) throws {
            try record.encode(to: encoder)
            guard encode != .none else { return }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(encode.rawValue, forKey: .encode)
        }
    }

    /// That of a new job.
    static func new(_ encode: CloudRules.Encode) -> UploadKept {
        kept(Upload(encode: encode != .none).record, encode)
    }

    /// What the catalog keeps of a record.
    static func kept(_ record: Upload.Record, _ encode: CloudRules.Encode) -> UploadKept {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Words and numbers: they can always be encoded.
        let text = (try? encoder.encode(Form(record, encode))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return UploadKept(phase: record.phase.rawValue, record: text, isCounted: record.counted)
    }

    /// The record of a job. One that cannot be read is made of what its row says beside it, and something may have been sent.
    static func read(_ job: UploadJob) -> Upload.Record {
        if let record = try? JSONDecoder().decode(Upload.Record.self, from: Data(job.kept.record.utf8)) {
            return record
        }
        return Upload.Record(
            phase: Upload.Phase(rawValue: job.kept.phase) ?? .queued, sent: true, counted: job.isCounted,
            notices: .max / 2)
    }

    /// What is to be made of the clip of a job once it is there.
    static func encode(_ job: UploadJob) -> CloudRules.Encode {
        (try? JSONDecoder().decode(Form.self, from: Data(job.kept.record.utf8)))?.encode ?? .none
    }

    /// Where a job stands whose machine is in a phase.
    static func standing(_ phase: Upload.Phase) -> UploadStanding {
        switch phase {
        case .queued, .uploading, .encoding, .removing: .due
        case .uploadFailed, .encodingFailed, .removeFailed: .failed
        case .done, .cancelled, .purged, .deleted: .over
        }
    }

    /// The notice as the catalog takes it.
    static func notice(_ notice: Upload.Notice) -> NewUploadNotice {
        NewUploadNotice(number: Int64(notice.number), stage: notice.stage.rawValue)
    }
}
