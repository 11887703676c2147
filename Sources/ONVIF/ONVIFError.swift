/// Why a device did not do what it was asked. Holds no login.
package struct ONVIFError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// Nobody is reached, or too late.
        case unreachable
        /// It asks for a login and none was given, or refuses the one that was.
        case unauthorized
        /// It does not have what was asked for.
        case unsupported
        /// It refuses for another reason.
        case refused
        /// What it answers is none that is taken.
        case foreign
    }

    /// What kind of trouble it is.
    package let kind: Kind
    /// What was asked: `GetProfiles`.
    package let operation: String
    /// Whom: host and port.
    package let device: String
    /// What is wrong, without a capital and a stop.
    package let cause: String
    /// What to do about it, the same way.
    package let remedy: String

    init(_ kind: Kind, _ operation: String, of device: String, _ cause: String, remedy: String) {
        (self.kind, self.operation, self.device, self.cause, self.remedy) = (kind, operation, device, cause, remedy)
    }

    /// The device can be asked for other things all the same.
    package var isOfOneOperation: Bool { kind == .refused || kind == .unsupported || kind == .foreign }

    /// One sentence.
    package var description: String { "\(device): \(operation): \(cause); \(remedy)" }
}
