internal import Foundation

/// JSON from outside: read with bounds, and what is wrong with it in words.
struct ForeignJSON {
    /// What is read, for the words.
    let subject: String
    /// What can be done where it is wrong.
    let remedy: String
    /// The most bytes of it.
    let bytesMax: Int

    func defect(_ key: String, _ cause: String) -> Defect { Defect(subject, key: key, cause, remedy: remedy) }

    /// Reads it. Foundation's reader goes 512 levels deep and refuses what lies deeper.
    func decode<Form: Decodable>(_ form: Form.Type, from bytes: Data) throws(Defect) -> Form {
        guard bytes.count <= bytesMax else {
            throw defect("", "has \(bytes.count) bytes, and at most \(bytesMax) are read")
        }
        do { return try JSONDecoder().decode(form, from: bytes) } catch let error as DecodingError {
            throw words(error)
        } catch let error as Defect {
            throw error
        } catch { throw defect("", "cannot be read as JSON") }
    }

    private func words(_ error: DecodingError) -> Defect {
        switch error {
        case .keyNotFound(let key, let context): defect(Self.path(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): defect(Self.path(context.codingPath), "is null or missing")
        case .typeMismatch(let type, let context):
            defect(Self.path(context.codingPath), "is not \(Self.words(type))")
        // Foundation does not say which number does not fit.
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            defect("", "is not JSON, or has a number that is not whole or too large")
        case .dataCorrupted(let context): defect(Self.path(context.codingPath), "has a value that is not known here")
        @unknown default: defect("", "cannot be read as JSON")
        }
    }

    private static func words(_ type: Any.Type) -> String {
        switch type {
        case is String.Type, is Data.Type: "a text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type: "a whole number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }

    /// `tracks[0].objects[2].name`: of at most eight keys with 40 characters each, since keys are foreign, too.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.prefix(8).reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? shown(key.stringValue) : "\(path).\(shown(key.stringValue))"
        }
    }

    /// A foreign name as far as it can stand in a line of the journal.
    static func shown(_ name: String) -> String {
        String(
            name.unicodeScalars.lazy.filter {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
            }
            .prefix(40).map(Character.init))
    }

    /// A text of one line with `bytes` bytes; `key` names it in the defect.
    func check(_ text: String, _ key: String, bytes: ClosedRange<Int>) throws(Defect) {
        let isLine = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: true
            }
        }
        guard bytes.contains(text.utf8.count), isLine else {
            throw defect(key, "is not one line of \(bytes.lowerBound) to \(bytes.upperBound) bytes")
        }
    }
}
