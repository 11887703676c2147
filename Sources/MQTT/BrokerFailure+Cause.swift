internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

extension BrokerFailure {
    /// What an answer to the wish to connect means; nil: the broker takes it. Codes below 6 are those of 3.1.1.
    init?(code: UInt8) {
        switch code {
        case 0: return nil
        case 1, 0x84: self.init("the broker does not speak this version of MQTT: set mqtt.version")
        case 2, 0x85: self.init("the broker does not take the name that Vigil connects with")
        case 3, 0x88, 0x89: self.init("the broker says that it is not available")
        case 4, 0x86: self.init("the broker refuses user and password")
        case 5, 0x87: self.init("the broker says that this user may not connect")
        default: self.init("the broker refuses the connection (code \(code))")
        }
    }

    /// Why a broker of version 5 ends the connection.
    init(ending code: UInt8) {
        switch code {
        case 0x8B: self.init("the broker is shutting down")
        case 0x8E:
            self.init("another client has connected under the same name: is there a second Vigil with this mqtt.topic?")
        case 0x87: self.init("the broker says that this user may not")
        default: self.init("the broker ends the connection (code \(code))")
        }
    }

    /// What an error of the network or of its libraries means.
    init(_ error: any Error) {
        switch error {
        case let error as BrokerFailure: self = error
        case let error as PacketFault: self.init("what the broker sends is no MQTT: \(error.words)")
        case ChannelError.connectTimeout: self.init("the broker does not answer in time")
        case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.eof, is CancellationError:
            self.init("the broker cut the connection")
        case let error as IOError: self.init("the broker cannot be reached (\(Self.reason(error)))")
        case let error as NIOConnectionError: self.init("the broker cannot be reached (\(Self.words(error)))")
        case is NIOSSLExtraError: self.init("the broker's certificate is for another name (\(Self.line("\(error)")))")
        case is NIOSSLError, is BoringSSLError: self.init(Self.tls("\(error)"))
        default: self.init("the connection to the broker failed (\(Self.line("\(error)")))")
        }
    }

    /// What the library says of a handshake has its reason in capitals, and places in its sources around it.
    private static func tls(_ text: String) -> String {
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return "the broker's certificate is not trusted: name its authority with mqtt.ca"
        }
        let reason = text.firstMatch(of: /[A-Z]{2,}(_[A-Z0-9]+)+/).map { String($0.0) } ?? line(text)
        return "no TLS with the broker (\(reason))"
    }

    /// The first attempt stands for all: what is said of each address is mostly the same.
    private static func words(_ error: NIOConnectionError) -> String {
        if let tried = error.connectionErrors.first { return reason(tried.error) }
        return "\(line(error.host)) is not known"
    }

    /// The kernel's own word where it has one: the library's has the call's name and numbers around it.
    private static func reason(_ error: any Error) -> String {
        if let error = error as? IOError { return String(cString: strerror(error.errnoCode)) }
        return line("\(error)")
    }

    private static func line(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200).map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }
}
