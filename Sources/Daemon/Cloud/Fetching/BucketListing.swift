internal import Cloud

/// The clips that a bucket's listing shows, page after page: `clips/CAMERA/YYYY/MM/DD/CLIP/OBJECT`. Amazon S3 lists in the order of the
/// keys; others have orders of their own, in which the objects of a clip follow each other as well. A store that begins again, or shows
/// more than any recorder has sent, is not listened to any longer.
struct BucketListing {
    /// One clip.
    struct Folder: Hashable, Sendable {
        /// Its key, without the store's prefix.
        let key: String
        /// Sizes by the objects' names.
        var objects: [String: UInt64] = [:]
    }

    /// The most objects: thirty million clips of some thirty pieces.
    static let objectsMax = 1_000_000_000
    /// The most objects of a clip: what was sent live stays in the pieces of two tracks, and beside them are a description and pictures.
    static let objectsOfClipMax = 2 * ClipDescription.objectsMax + 64
    /// The longest name of an object that a recorder has sent, in bytes.
    private static let nameBytesMax = 64

    private let prefixBytes: Int
    private let objectsMax: Int
    private var open: Folder?
    private var count = 0
    /// The first key of some page, and after how many pages another one is remembered. A list that begins again comes to the key that is
    /// remembered, since each is kept for twice as many pages as the one before (Brent, An improved Monte Carlo factorization algorithm,
    /// 1980).
    private var mark: (key: String, pages: Int)?
    private var pages = 0

    /// A listing of keys that begin with so many bytes of a prefix.
    init(prefixBytes: Int, objectsMax: Int = Self.objectsMax) {
        self.prefixBytes = prefixBytes
        self.objectsMax = objectsMax
    }

    /// Takes a page, and gives the clips that are whole with it.
    ///
    /// - Throws: `DaemonFailure`, where the store lists what no store does.
    mutating func take(_ entries: [(key: String, bytes: UInt64)], isLast: Bool) throws -> [Folder] {
        try note(entries.first?.key)
        var ready: [Folder] = []
        for (key, bytes) in entries {
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
            if name.utf8.count <= Self.nameBytesMax, open?.objects.count ?? 0 < Self.objectsOfClipMax {
                open?.objects[name] = bytes
            }
        }
        if isLast, let whole = open {
            ready.append(whole)
            open = nil
        }
        return ready
    }

    /// A page begins with this key.
    private mutating func note(_ first: String?) throws {
        guard let first else { return }
        if mark?.key == first {
            throw DaemonFailure("the store lists \(first) again, so its list may never end")
        }
        pages += 1
        if pages > mark?.pages ?? 0 { mark = (first, 2 * pages) }
    }
}
