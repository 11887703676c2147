internal import Machines

/// Privacy switches as people read them.
enum PrivacyWords {
    /// `off`, or the switches that are on: `hard`, `recording`, `live`.
    static func of(_ privacy: Privacy) -> String {
        var words: [String] = []
        if privacy.hard { words.append("hard") }
        if privacy.softRecording { words.append("recording") }
        if privacy.softLive { words.append("live") }
        return words.isEmpty ? "off" : words.joined(separator: "+")
    }
}
