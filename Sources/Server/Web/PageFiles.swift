internal import Foundation

/// The files of the web page, read once: what is asked for is looked up among them, so that no path in a request ever reaches
/// the file system.
public struct PageFiles: Sendable {
    /// Most files, and most bytes of them all; what goes beyond is not a page of Vigil's.
    static let countMax = 500, bytesMax = 16 << 20
    /// What every path that is no file shows: the page finds out by itself what to do with it.
    static let index = "/index.html"

    /// By path, `/index.html`.
    let files: [String: PageFile]

    /// No page at all.
    public static let none = PageFiles(files: [:])

    init(files: [String: PageFile]) { self.files = files }

    /// Reads every file below `folder`; links are not followed, hidden files left out. Blocking.
    /// - Throws: `PageProblem` where there is no page.
    public init(folder: String) throws(PageProblem) {
        let root = URL(fileURLWithPath: folder, isDirectory: true)
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .isSymbolicLinkKey, .fileSizeKey]
        guard
            let found = FileManager.default.enumerator(
                at: root, includingPropertiesForKeys: Array(keys), options: [.skipsHiddenFiles])
        else { throw PageProblem(folder: folder, reason: "it cannot be read") }
        var (files, bytes) = ([String: PageFile](), 0)
        let prefix = root.standardizedFileURL.path
        for case let url as URL in found {
            guard let facts = try? url.resourceValues(forKeys: keys), facts.isRegularFile == true,
                facts.isSymbolicLink != true, let size = facts.fileSize
            else { continue }
            bytes += size
            guard files.count < Self.countMax, bytes <= Self.bytesMax else {
                throw PageProblem(
                    folder: folder, reason: "it holds more than \(Self.countMax) files or \(Self.bytesMax) bytes")
            }
            guard let content = try? Data(contentsOf: url) else {
                throw PageProblem(folder: folder, reason: "\(url.lastPathComponent) cannot be read")
            }
            let path = url.standardizedFileURL.path.dropFirst(prefix.count)
            files[String(path.hasPrefix("/") ? path : "/" + path)] = PageFile(
                name: url.lastPathComponent, bytes: Array(content))
        }
        guard files[Self.index] != nil else { throw PageProblem(folder: folder, reason: "there is no index.html") }
        self.files = files
    }

    /// The file at `path`, as a request has it without its query; the index for every other path, nil where there is no page.
    func file(at path: Substring) -> PageFile? { files[String(path)] ?? files[Self.index] }
}

/// Why there is no web page.
public struct PageProblem: Error, Hashable, CustomStringConvertible {
    /// Where it was looked for.
    public let folder: String
    /// Why.
    public let reason: String

    /// In words.
    public var description: String { "the web page in \(folder) is not served: \(reason)" }
}
