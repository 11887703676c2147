import Foundation
import Machines

/// What the text of one value must look like. Loader, JSON Schema and reference tables are all made from it.
enum ValueForm: Hashable {
    /// A name that others refer to: of a policy, camera or credential.
    case name
    /// The name of a zone, or null for outside every zone.
    case zone
    /// The name of what a program recognises.
    case label
    /// Words for people.
    case words
    /// Words for people with fields of a message.
    case template
    /// A path in the file system.
    case path
    /// Where media comes from.
    case address
    /// Host and port to listen on, or none.
    case listen
    /// An address of IPv4 or IPv6 in numbers, without a port.
    case numericAddress
    /// An address of HTTP: `https://` or `http://`, no user, no query.
    case webAddress
    /// An address of MQTT: `mqtts://` or `mqtt://`, a host, perhaps a port.
    case broker
    /// The name of a bucket.
    case bucket
    /// What keys of a bucket begin with.
    case prefix
    /// A time zone of the IANA data base.
    case timeZone
    /// The name of an environment variable.
    case variable
    /// One word of these.
    case choice([String])
    /// 1, 5, 10 or low, medium, high.
    case sensitivity
    /// A duration within bounds; only these where `allowed` names some. All in milliseconds.
    case duration(ClosedRange<Int64>, allowed: [Int64])
    /// A size in bytes.
    case size
    /// A size, or a share of the file system such as 5%.
    case sizeOrShare
    /// A whole number within bounds.
    case whole(ClosedRange<Int>)
    /// One of these whole numbers.
    case numbers([Int])
    /// true or false.
    case flag
    /// A time of day, HH:MM; 24:00 where it ends an interval.
    case clock(midnightEnds: Bool)
    /// Days of the week.
    case days

    /// Nil when `text` fits, else what is wrong with it.
    func fault(_ text: String) -> Fault? {
        do {
            try check(text)
            return nil
        } catch {
            return error
        }
    }

    private func check(_ text: String) throws(Fault) {
        switch self {
        case .name: try Self.checkName(text)
        case .zone: if !AreaText.isNull(text) { try Self.checkName(text) }
        case .label:
            guard LabelName.isValid(text) else {
                throw Fault(
                    reason: "\"\(text.prefix(80))\" is no name of a label",
                    remedy: "use 1 to \(LabelName.bytesMax) letters, digits, - and _")
            }
        case .words: try Self.checkWords(text)
        case .template:
            try Self.checkWords(text)
            do { _ = try MessageTemplate.parse(text, isForPeople: true) } catch { throw error.fault }
        case .path:
            guard !text.isEmpty, !text.contains("\0") else {
                throw Fault(reason: "the path is empty", remedy: "write a path, or leave the key out")
            }
        case .address: _ = try SourceAddress.parse(text)
        case .listen: _ = try ListenAddress.parse(text)
        case .numericAddress: try ListenAddress.checkNumeric(text)
        case .broker: _ = try BrokerAddress.parse(text)
        case .webAddress, .bucket, .prefix: try checkCloud(text)
        case .timeZone: try Self.checkTimeZone(text)
        case .variable:
            guard text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]{0,127}/) != nil else {
                throw Fault(
                    reason: "\"\(text)\" cannot be an environment variable", remedy: "use letters, digits and _ only")
            }
        case .choice(let words): try Self.checkChoice(text, words)
        case .sensitivity:
            guard PolicyReader.sensitivity(text) != nil else {
                throw Fault(
                    reason: "\"\(text)\" is not a sensitivity", remedy: "write 1, 5 or 10, or low, medium or high")
            }
        case .duration(let range, let allowed): try Self.checkDuration(text, range, allowed)
        case .size:
            guard try SizeText.parse(text) > 0 else {
                throw Fault(reason: "the size is zero", remedy: "write a size, or leave the key out for no limit")
            }
        case .sizeOrShare: _ = try Reserve.parse(text)
        case .whole(let range): try Self.checkWhole(text, range)
        case .numbers(let numbers): try Self.checkChoice(text, numbers.map(String.init))
        case .flag: try Self.checkFlag(text)
        case .clock(let midnightEnds): _ = try ClockText.parse(text, midnightEnds: midnightEnds)
        case .days: _ = try DaysText.parse(text)
        }
    }

    private static func checkName(_ text: String) throws(Fault) {
        guard text.wholeMatch(of: /[a-z0-9][a-z0-9_\-]{0,63}/) != nil else {
            throw Fault(
                reason: "\"\(text.prefix(80))\" is not a name",
                remedy: "use 1 to 64 small letters, digits, - and _, beginning with a letter or digit")
        }
    }

    private static func checkWords(_ text: String) throws(Fault) {
        guard !text.isEmpty, text.count <= 500, !text.contains("\0") else {
            throw Fault(reason: "the text is empty or longer than 500 characters", remedy: "write a shorter text")
        }
    }

    private static func checkTimeZone(_ text: String) throws(Fault) {
        // Abbreviations such as CET would be accepted by the system and have no daylight saving: only real names are.
        let known = TimeZone.knownTimeZoneIdentifiers
        if text == "UTC" || known.contains(text) { return }
        let looksLikeName = text.wholeMatch(of: /[A-Za-z]+(\/[A-Za-z0-9_+\-]+){1,2}/) != nil
        if looksLikeName, TimeZone(identifier: text) != nil { return }
        let nearest = Spelling.nearest(to: text, among: known)
        throw Fault(
            reason: "the time zone \"\(text.prefix(80))\" is unknown",
            remedy: nearest.map { "did you mean \($0)?" }
                ?? "write a name such as Europe/Rome; timedatectl list-timezones lists them")
    }

    private static func checkChoice(_ text: String, _ words: [String]) throws(Fault) {
        guard !words.contains(text) else { return }
        let list = words.joined(separator: ", ")
        let nearest = Spelling.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
        throw Fault(reason: "\"\(text.prefix(80))\" is none of \(list)", remedy: "write one of them\(nearest)")
    }

    private static func checkDuration(_ text: String, _ range: ClosedRange<Int64>, _ allowed: [Int64]) throws(Fault) {
        let value = try DurationText.parse(text)
        if !allowed.isEmpty, !allowed.contains(value) {
            let list = allowed.map { DurationText.text(milliseconds: $0) }.joined(separator: ", ")
            throw Fault(reason: "\(text) is none of \(list)", remedy: "write one of them")
        }
        guard range.contains(value) else {
            let low = DurationText.text(milliseconds: range.lowerBound)
            let high = DurationText.text(milliseconds: range.upperBound)
            throw Fault(
                reason: "\(text) is outside \(low) to \(high)", remedy: "write a duration from \(low) to \(high)")
        }
    }

    private static func checkWhole(_ text: String, _ range: ClosedRange<Int>) throws(Fault) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), range.contains(value) else {
            throw Fault(
                reason: "\"\(text.prefix(80))\" is no whole number from \(range.lowerBound) to \(range.upperBound)",
                remedy: "write one, such as \(range.lowerBound)")
        }
    }

    private static func checkFlag(_ text: String) throws(Fault) {
        guard text != "true", text != "false" else { return }
        let meant: [String: String] = [
            "yes": "true", "on": "true", "1": "true", "no": "false", "off": "false", "0": "false",
        ]
        throw Fault(
            reason: "\"\(text.prefix(80))\" is neither true nor false",
            remedy: "write \(meant[text.lowercased()] ?? "true or false")")
    }
}
