import Foundation
import ObjectStore
import Synchronization

/// One order and how it is carried out.
struct Work {
    let order: Order

    init(_ order: Order) { self.order = order }

    /// Carries it out and tells what came of it.
    func done() async throws -> [String: any Sendable] {
        if order.order == "sign" || order.order == "presign" { return try signed() }
        let store = try order.store()
        do {
            let answer = try await done(with: store)
            await store.shutdown()
            return answer
        } catch {
            await store.shutdown()
            throw error
        }
    }

    /// An error by class, and in words.
    static func told(_ error: any Error) -> [String: any Sendable] {
        guard let error = error as? StoreError else {
            return ["error": error is CancellationError ? "cancelled" : "other", "text": "\(error)"]
        }
        let name = "\(error.cause)".prefix { $0 != "(" }
        return [
            "error": String(name), "text": error.description, "status": error.status ?? 0, "code": error.code ?? "",
            "passes": error.mayPass, "cause": "\(error.cause)",
        ]
    }

    private func done(with store: ObjectStore) async throws -> [String: any Sendable] {
        let key = order.key ?? ""
        switch order.order {
        case "put":
            let file = try file()
            return try await cancellable { progress in
                told(try await store.put(file, as: key, order.options, progress: progress))
            }
        case "multipart":
            let file = try file()
            let upload = try MultipartUpload(
                file, as: key, in: store, order.options, partBytes: order.partBytes ?? 16 << 20,
                parallel: order.parallel ?? 1)
            let name = Mutex("")
            var answer = try await cancellable { progress in
                told(
                    try await upload.run(resuming: order.upload, progress: progress) { id in name.withLock { $0 = id } }
                )
            }
            answer["upload"] = name.withLock { $0 }
            return answer
        case "get":
            let out = try output()
            let head = try await store.get(key, range: order.range, ifMatch: order.etag, limit: order.limit ?? 1 << 40)
            {
                try out.write(contentsOf: $0)
            }
            return told(head)
        case "head": return told(try await store.head(key))
        case "delete":
            try await store.delete(key)
            return ["ok": true]
        case "deleteMany":
            let failed = try await store.deleteMany(order.keys ?? [])
            return ["ok": true, "failed": failed.mapValues { $0.description }]
        case "list": return try await list(store)
        case "create": return ["upload": try await store.createUpload(key, order.options)]
        case "parts":
            let parts = try await store.listParts(key, upload: order.upload ?? "")
            return ["numbers": parts.map(\.number), "bytes": parts.map(\.bytes)]
        case "uploads":
            let page = try await store.listUploads(prefix: order.prefix ?? "")
            return ["keys": page.uploads.map(\.key), "uploads": page.uploads.map(\.id)]
        case "abort":
            try await store.abortUpload(key, upload: order.upload ?? "")
            return ["ok": true]
        case "presignGet":
            return ["url": try await store.presignedGet(key, seconds: order.expires ?? 60, fileName: order.file)]
        default: throw Complaint("no such order: \(order.order)")
        }
    }

    private func list(_ store: ObjectStore) async throws -> [String: any Sendable] {
        var (keys, sizes, prefixes, pages, next) = ([String](), [UInt64](), [String](), 0, String?.none)
        repeat {
            let page = try await store.list(
                prefix: order.prefix ?? "", delimiter: order.delimiter, continuation: next, max: order.max ?? 1000)
            keys += page.entries.map(\.key)
            sizes += page.entries.map(\.bytes)
            prefixes += page.commonPrefixes
            pages += 1
            next = page.continuation
        } while next != nil && pages < 1000
        return ["keys": keys, "bytes": sizes, "prefixes": prefixes, "pages": pages]
    }

    private func signed() throws -> [String: any Sendable] {
        func pairs(_ list: [[String]]?) -> [(name: String, value: String)] {
            (list ?? []).compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
        }
        let request = SignatureV4.Request(
            order.method ?? "GET", path: order.path ?? "/", query: pairs(order.query), headers: pairs(order.headers),
            payload: order.payload ?? SignatureV4.emptyPayload)
        let signature = SignatureV4(
            credentials: try order.credentials(), region: order.region ?? "", seconds: order.time ?? 0)
        guard order.order == "sign" else {
            return ["query": signature.presigned(request, expires: order.expires ?? 60)]
        }
        return ["headers": signature.signed(request).map { [$0.name, $0.value] }]
    }

    private func told(_ object: StoredObject) -> [String: any Sendable] {
        ["ok": true, "bytes": object.bytes, "etag": object.etag ?? "", "verified": "\(object.verified)"]
    }

    private func told(_ head: ObjectHead) -> [String: any Sendable] {
        [
            "ok": true, "bytes": head.bytes, "etag": head.etag ?? "", "type": head.contentType ?? "",
            "metadata": head.metadata, "modified": head.modifiedSeconds ?? -1,
        ]
    }

    /// Runs a transfer in a task that is cancelled where the order says so; tells how far it came.
    private func cancellable(
        _ body: @escaping @Sendable (@escaping TransferProgress) async throws -> [String: any Sendable]
    ) async throws -> [String: any Sendable] {
        let most = Mutex(UInt64(0))
        let task = Mutex(Task<[String: any Sendable], any Error>?.none)
        let (began, start) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            for await _ in began { break }
            return try await body { sent in
                most.withLock { $0 = max($0, sent) }
                if let limit = order.cancelAt, sent >= limit { task.withLock { $0?.cancel() } }
            }
        }
        task.withLock { $0 = running }
        start.finish()
        var answer = try await running.value
        answer["sent"] = most.withLock { $0 }
        return answer
    }

    private func file() throws -> FileRange {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: order.file ?? ""))
        let end = try handle.seekToEnd()
        return try FileRange(descriptor: handle.fileDescriptor, range: (order.from ?? 0)..<(order.to ?? end))
    }

    private func output() throws -> FileHandle {
        guard let path = order.file, FileManager.default.createFile(atPath: path, contents: nil) else {
            throw Complaint("no file to write to")
        }
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
}
