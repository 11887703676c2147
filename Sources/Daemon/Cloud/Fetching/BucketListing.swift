internal import Cloud

/// The clips that a bucket's listing shows, page after page: `clips/CAMERA/YYYY/MM/DD/CLIP/OBJECT`, in the order of their keys, as
/// ListObjectsV2 of Amazon S3 has it. A store that goes back, or shows more than any recorder has sent, is not listened to any longer.
struct BucketListing {
    /// One clip.
    struct Folder: Hashable, Sendable {
        /// Its key, without the store's prefix.
        let key: String
        /// Sizes by the objects' names.
        var objects: [String: UInt64] = [:]
    }

    /// The most objects: thirty million clips of three objects.
    static let objectsMax = 90_000_000
    /// The most objects of a clip: two tracks, a description and pictures are sent.
    static let objectsOfClipMax = 64

    private let prefixBytes: Int
    private let objectsMax: Int
    private var open: Folder?
    private var last = ""
    private var count = 0

    /// A listing of keys that begin with so many bytes of a prefix.
    init(prefixBytes: Int, objectsMax: Int = Self.objectsMax) {
        self.prefixBytes = prefixBytes
        self.objectsMax = objectsMax
    }

    /// Takes a page, and gives the clips that are whole with it.
    ///
    /// - Throws: `DaemonFailure`, where the store lists what no store does.
    mutating func take(_ entries: [(key: String, bytes: UInt64)], isLast: Bool) throws -> [Folder] {
        var ready: [Folder] = []
        for (key, bytes) in entries {
            guard last.utf8.lexicographicallyPrecedes(key.utf8) else {
                throw DaemonFailure("the store lists keys out of their order, so its list may never end")
            }
            last = key
            count += 1
            guard count <= objectsMax else {
                throw DaemonFailure("the store lists more than \(objectsMax) objects, so its list may never end")
            }
            let path = String(decoding: Array(key.utf8.dropFirst(prefixBytes)), as: UTF8.self)
            guard let slash = path.lastIndex(of: "/") else { continue }
            let (folder, name) = (String(path[..<slash]), String(path[path.index(after: slash)...]))
            // It lies among the clip's own, and is made from them.
            if folder.hasSuffix("/" + CloudKeys.encoded) { continue }
            if open?.key != folder {
                if let open { ready.append(open) }
                open = Folder(key: folder)
            }
            if open?.objects.count ?? 0 < Self.objectsOfClipMax { open?.objects[name] = bytes }
        }
        if isLast, let whole = open {
            ready.append(whole)
            open = nil
        }
        return ready
    }
}
