internal import Catalog
internal import Cloud
internal import Encoder
internal import Foundation
internal import Machines
internal import Media
internal import ObjectStore
internal import Policies
internal import Webhook

/// What one job has to do with the remote encoder (docs/reference/encoder.md). Each call is one request, bounded in time, with the
/// credential as it is just then. Throws `EncoderFailure`, `Defect`, `StoreError`, or `DaemonFailure`.
struct RemoteEncoding: Sendable {
    /// How long the addresses hold that an encoder is given, in seconds: a run, and what it may wait before.
    static let addressSeconds = 6 * 3_600

    let store: CloudStore
    /// The clip's key in the store.
    let key: String
    let renditions: [Rendition]
    let catalog: Catalog

    /// Asks for the copies. `name` is the same each time that the same try is asked for.
    ///
    /// - Returns: the encoder's name for the job.
    func order(as name: String) async throws -> String {
        let clip = try await Blocking.always { [catalog, key] in try ClipDescription(of: key, in: catalog) }
        let folder = store.folder(of: key)
        var tracks: [EncoderOrder.Track] = []
        for track in clip.tracks {
            var objects: [EncoderOrder.Track.Object] = []
            for object in track.objects {
                let url = try await store.client.presignedGet(folder + object.name, seconds: Self.addressSeconds)
                objects.append(EncoderOrder.Track.Object(url: url, bytes: object.bytes))
            }
            tracks.append(EncoderOrder.Track(track, objects))
        }
        let height = clip.tracks.first { $0.kind == .video }?.height ?? .max
        let sizes = Rendition.fitting(renditions, height: height)
        var results: [String: String] = [:]
        let names = sizes.flatMap { ["\($0.name).cmfv", "\($0.name).m3u8"] }
        for file in names + ["\(EncodedPresentation.sound).cmfa", "\(EncodedPresentation.sound).m3u8"] {
            results[file] = try await store.client.presignedPut(
                "\(folder)\(CloudKeys.encoded)/\(file)", seconds: Self.addressSeconds)
        }
        let order = EncoderOrder(
            key: name, startMs: try ClipPresentation(clip).zeroWallMs,
            renditions: sizes.map {
                EncoderOrder.Size(name: $0.name, heightMax: min($0.heightMax, height), kilobits: $0.kilobits)
            }, tracks: tracks, results: results, secondsMax: Int(LocalEncoding.runMs / 1_000))
        return try await ask { client async throws(EncoderFailure) in
            try await client.create(order.encoded, key: name)
        }.job
    }

    /// How far a job is.
    func poll(_ job: String) async throws -> EncoderAnswer {
        let answer = try await ask { client async throws(EncoderFailure) in try await client.job(job) }
        guard answer.job == job else { throw EncoderFailure(.refused, "the encoder answers about another job") }
        return answer
    }

    /// Ends a job.
    func cancel(_ job: String) async throws {
        let client = try await client()
        let failure: EncoderFailure?
        do throws(EncoderFailure) {
            try await client.cancel(job)
            failure = nil
        } catch { failure = error }
        await client.shutdown()
        if let failure { throw failure }
    }

    /// Makes the lists that name what an encoder has made, once it is known to be there.
    func settle(_ answer: EncoderAnswer) async throws {
        let clip = try await Blocking.always { [catalog, key] in try ClipDescription(of: key, in: catalog) }
        let (presentation, sender) = (try ClipPresentation(clip), MediaSender(store, key: key))
        let known = Set(renditions.map(\.name) + [EncodedPresentation.sound])
        for rendition in answer.renditions {
            guard known.contains(rendition.name) else {
                throw EncoderFailure(.refused, "the encoder made \(rendition.name), for which nobody asked")
            }
            let ending = rendition.name == EncodedPresentation.sound ? "cmfa" : "cmfv"
            for name in ["\(rendition.name).\(ending)", "\(rendition.name).m3u8"] {
                let path = "\(store.folder(of: key))\(CloudKeys.encoded)/\(name)"
                do { _ = try await store.client.head(path) } catch let error as StoreError
                    where error.cause == .notFound
                {
                    throw EncoderFailure(.refused, "the encoder has finished, and \(name) is not in the store")
                }
            }
        }
        for part in EncodedPresentation(of: presentation, answer.renditions).lists() {
            try await sender.put(SmallObject(part))
        }
    }

    private func ask(
        _ body: (EncoderClient) async throws(EncoderFailure) -> [UInt8]
    ) async throws -> EncoderAnswer {
        let client = try await client()
        let result: Result<[UInt8], EncoderFailure>
        do throws(EncoderFailure) { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutdown()
        return try EncoderAnswer(parsing: Data(result.get()), asked: Self.names)
    }

    /// Every name that a copy may have.
    static let names = Set(
        CloudRules.Encode.allCases.flatMap { $0.sizes.map(\.name) } + [EncodedPresentation.sound])

    /// A client of the encoder, with the credential as it is now.
    private func client() async throws -> EncoderClient {
        let login = try await Blocking.always { [store] in try Self.login(store) }
        return EncoderClient(url: login.url, token: login.token)
    }

    /// What the notices of the encoder of a store's configuration are signed with. Blocking: a credential may be read from a file.
    static func secret(_ store: CloudStore) throws -> WebhookSecret { try login(store).secret }

    private static func login(_ store: CloudStore) throws -> (url: String, token: String, secret: WebhookSecret) {
        guard let settings = store.settings.encoder else { throw DaemonFailure("no encoder is configured") }
        let token = try store.credentials.credential(settings.credential).password
        guard let secret = WebhookSecret(text: token) else {
            throw DaemonFailure(
                "credential \(settings.credential): what stands behind its colon is no secret of an encoder; write whsec_ and the base64 of 24 to 64 bytes"
            )
        }
        return (settings.url, token, secret)
    }
}
