public import Machines
public import Wire

/// Why a call to the daemon failed. `address` is that of the transport: a URL, or the path of a socket.
public enum VigilError: Error, Hashable, Sendable {
    /// The daemon refused, and said why; for a verb of a session with its step and reason.
    case refused(SiteError)
    /// Nobody listens there.
    case noDaemon(address: String)
    /// The socket's mode keeps this user out; `group` may connect, where it has a name.
    case notPermitted(address: String, group: String?)
    /// No connection was made; `reason` is the system's text.
    case cannotConnect(address: String, reason: String)
    /// The daemon did not answer in time.
    case timeout(address: String)
    /// The connection broke before the answer was whole.
    case brokenOff(address: String, reason: String)
    /// What answers does not speak this interface, or another version of it.
    case strangeAnswer(address: String, reason: String)
    /// The recorder has ended a session whose frames are taken: its time is over (`expired`), live privacy covers what it showed
    /// (`privacy`), or recorder or camera are shut down (`draining`).
    case sessionEnded(Session.Ending)

    /// The step of a session that was refused or failed, such as `startPreview` (docs/design/session.md names them); nil where
    /// it is none.
    public var step: String? { if case .refused(let error) = self { error.step } else { nil } }

    /// Why it was, in one word, such as `full`; with ``step`` only.
    public var reason: String? { if case .refused(let error) = self { error.reason } else { nil } }
}

extension VigilError: CustomStringConvertible {
    /// What failed, why, and what to do about it.
    public var description: String {
        switch self {
        case .refused(let error):
            "\(error.what): \(error.why); \(error.remedy)"
        case .noDaemon(let address):
            "no daemon answers at \(address); start it, or give another address"
        case .notPermitted(let address, let group):
            "no permission to speak to the daemon at \(address)"
                + (group.map { "; join group \($0)" } ?? "; run as the daemon's own user")
        case .cannotConnect(let address, let reason):
            "cannot connect to \(address): \(reason); look at the address and at the network"
        case .timeout(let address):
            "the daemon at \(address) did not answer in time; try again, and look at its journal"
        case .brokenOff(let address, let reason):
            "the daemon at \(address) broke off its answer (\(reason)); try again, and look at its journal"
        case .sessionEnded(let why):
            "the recorder has ended the session (\(why.rawValue)); \(why.remedy)"
        case .strangeAnswer(let address, let reason):
            "what answers at \(address) is not understood (\(reason)); compare its version with that of this library"
        }
    }
}

extension Session.Ending {
    /// What to do about it.
    fileprivate var remedy: String {
        switch self {
        case .expired: "open another one, and prolong it in time"
        case .privacy: "open another one when privacy is off; recordings can be played meanwhile"
        case .draining: "open another one when recorder and camera are back"
        case .closed: "open another one to look on"
        }
    }
}
