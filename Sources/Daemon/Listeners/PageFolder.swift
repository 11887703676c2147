internal import Foundation

/// Finds the files of the web page: beside an installed program, else beside the sources from which it was built.
enum PageFolder {
    /// The folder; nil where there is none. Blocking.
    static func find(program: String = "/proc/self/exe") -> String? {
        let program = URL(fileURLWithPath: program).resolvingSymlinksInPath()
        var folder = program.deletingLastPathComponent()
        let installed = folder.appendingPathComponent("../share/vigil/page").standardizedFileURL.path
        if isPage(installed) { return installed }
        while folder.path != "/" {
            let page = folder.appendingPathComponent("Sources/Server/Page").path
            if isPage(page) { return page }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    private static func isPage(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/index.html")
    }
}
