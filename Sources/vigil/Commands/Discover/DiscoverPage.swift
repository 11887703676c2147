internal import ONVIF
internal import Policies

/// What `vigil discover` prints: each device with what is known of it, then what to write into vigil.yaml.
struct DiscoverPage {
    let reports: [DeviceReport]
    /// The name of the credential that was used; nil where none was.
    let credential: String?

    /// The page.
    var text: String {
        let devices = reports.map { Self.lines($0).joined(separator: "\n") }
        return (devices + [snippet]).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func lines(_ report: DeviceReport) -> [String] {
        var lines = [("device", report.address)]
        if let name = report.name {
            lines.append(("name", [name, report.location].compactMap { $0 }.joined(separator: ", ")))
        }
        if let told = report.information {
            let model = [told.manufacturer, told.model].compactMap { $0 }.joined(separator: " ")
            let parts = [model, told.firmware.map { "firmware \($0)" } ?? ""].filter { !$0.isEmpty }
            if !parts.isEmpty { lines.append(("model", parts.joined(separator: ", "))) }
        }
        if !report.services.isEmpty {
            lines.append(("services", report.services.map(\.rawValue).joined(separator: ", ")))
        }
        for camera in report.cameras {
            let channel = report.cameras.count > 1 ? camera.videoSource.map { " of \($0)" } ?? "" : ""
            lines.append(("main\(channel)", words(camera.main)))
            lines.append(("sub\(channel)", camera.sub.map(words) ?? "none that is smaller"))
        }
        lines += report.notes.map { ("note", $0) }
        if let problem = report.problem {
            lines.append(("problem", "\(problem.operation): \(problem.cause); \(problem.remedy)"))
        }
        let width = max(10, (lines.map(\.0.count).max() ?? 0) + 2)
        return lines.map { $0 + String(repeating: " ", count: width - $0.count) + $1 }
    }

    private static func words(_ stream: DeviceReport.Stream) -> String {
        "\(stream.profile.words): \(stream.address ?? "no address told")"
    }

    /// The section `cameras` for what can be recorded; empty where nothing can.
    private var snippet: String {
        var (lines, names) = ([String](), Set<String>())
        for report in reports {
            for camera in report.cameras {
                guard let main = camera.main.address else { continue }
                let told = report.suggestedName(of: camera)
                var (name, number) = (told, 2)
                while !names.insert(name).inserted { (name, number) = ("\(told)-\(number)", number + 1) }
                var keys = ["main: \(YAMLText.quoted(main))"]
                if let sub = camera.sub?.address { keys.append("sub: \(YAMLText.quoted(sub))") }
                if let credential { keys.append("credential: \(credential)") }
                lines.append("  \(name): { \((keys + ["policy: home"]).joined(separator: ", ")) }")
            }
        }
        return lines.isEmpty ? "" : (["# for vigil.yaml", "cameras:"] + lines).joined(separator: "\n")
    }
}
