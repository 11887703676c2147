/// Arithmetic of paths, as text.
enum FilePath {
    /// The folder of a path, "." when it names none.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The last part without its extension.
    static func stem(_ path: String) -> String {
        let last = name(path)
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return last }
        return String(last[..<dot])
    }

    /// A path as it is written in a file, seen from a folder; without a slash at its end.
    static func resolve(_ path: String, in folder: String) -> String {
        var joined = path.hasPrefix("/") || folder == "." ? path : (folder == "/" ? "/" + path : folder + "/" + path)
        while joined.count > 1, joined.hasSuffix("/") { joined.removeLast() }
        return joined
    }
}
