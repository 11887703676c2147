import Foundation

@testable import Wire

/// A body that is taken is taken again as it is written.
@discardableResult
func body<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: UnsafeRawBufferPointer) -> Value? {
    guard let value = try? JSONBody.decode(type, Data(bytes)) else { return nil }
    guard let written = try? JSONEncoder().encode(value) else {
        hold(false, "what was read can be written")
        return nil
    }
    hold((try? JSONBody.decode(type, written)) == value, "a body is read back")
    return value
}
