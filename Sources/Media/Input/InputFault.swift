package import Machines

/// Why a reader gave up, inside of this module.
package enum InputFault: Error, Hashable {
    case stopped
    case failed(LinkFailure, String)

    var end: InputEnd {
        switch self {
        case .stopped: .stopped
        case .failed(let failure, let detail): .failed(failure, detail: detail)
        }
    }
}
