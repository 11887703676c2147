import Foundation
import Hashing
import Testing

@testable import Media

@Suite struct SecretFilterTests {
    private let filter = SecretFilter(user: "admin", password: "Geh3im/Wörd+x")

    @Test func `a login that a camera says back is taken out in every form`() throws {
        let secret = "Geh3im/Wörd+x"
        let percent = try #require(secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let full = secret.utf8.map { "%" + String($0, radix: 16) }.joined()
        let forms = [
            secret, secret.uppercased().replacing("Ö", with: "ö"), percent, percent.lowercased(), full,
            full.uppercased(),
            percent.replacing("%", with: "%25"), "Geh%33im/W%c3%B6rd+x",
            Data(secret.utf8).base64EncodedString(), Data("admin:\(secret)".utf8).base64EncodedString(),
            Data("x\(secret)y".utf8).base64EncodedString(), Data("xy\(secret)z".utf8).base64EncodedString(),
            Data("admin:\(secret)".utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_"),
        ]
        for form in forms {
            let cleaned = filter.clean("401 for \(form), again \(form).")
            #expect(cleaned.hasPrefix("401 for ") && cleaned.contains("***"), "\(form) → \(cleaned)")
            #expect(!cleaned.contains(form) && cleaned.count < 60, "\(form) → \(cleaned)")
        }
    }

    @Test func `everything else stays as it is`() {
        for text in [
            "", "%", "%4", "connection refused: rtsp://10.0.0.1/a%20b", "Geh3im", String(repeating: "%25", count: 99),
        ] {
            #expect(filter.clean(text) == text)
        }
        #expect(SecretFilter(user: "a", password: "").clean("a:b") == "a:b")
    }
}
