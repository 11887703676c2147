import Foundation

@testable import Cloud

/// What a provider may answer when it is asked for plans.
enum PlanTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        let answer: PlanAnswer
        do { answer = try PlanAnswer(parsing: Data(bytes)) } catch {
            hold(!error.description.contains(where: \.isNewline), "a defect is one line")
            hold(!error.cause.isEmpty && !error.remedy.isEmpty, "a defect has a cause and a remedy")
            return
        }
        hold((try? PlanAnswer(parsing: Data(bytes))) == answer, "the same bytes give the same answer")
        for camera in ["front", "yard"] {
            switch answer.plan(of: camera) {
            case .none: break
            case .active(let until, let retention): times(until, retention)
            case .expired(let at, let retention): times(at, retention)
            }
            if let name = answer.name(of: camera) {
                hold((1...PlanAnswer.nameBytesMax).contains(name.utf8.count), "the name is short")
                hold(!name.contains(where: \.isNewline), "the name is one line")
            }
            if let address = answer.manageURL(of: camera) {
                let scheme = address.prefix { $0 != ":" }.lowercased()
                hold(["https", "http"].contains(scheme), "\(address) is of the web")
                hold(address.utf8.count <= PlanAnswer.addressBytesMax, "the address is short")
                hold(!address.contains { "\"<> ".contains($0) || $0.isNewline }, "\(address) needs no escaping")
            }
        }
    }

    private static func times(_ wallMs: Int64?, _ retentionMs: Int64?) {
        hold((0...253_402_300_799_999).contains(wallMs ?? 0), "a time from 1970 to 9999")
        hold((0...3_650 * 86_400_000).contains(retentionMs ?? 0), "a retention in its range")
    }
}
