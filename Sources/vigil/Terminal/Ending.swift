internal import ArgumentParser
internal import Client
internal import Glibc

/// How the program ends: its exit status and what it says last.
struct Ending: Equatable {
    /// 0 done, 1 refused or failed, 2 wrong usage, 3 done but for what cannot be read.
    var status: Int32
    /// What goes to standard output (status 0: help) or standard error.
    var message: String

    /// How an error that reached the top ends the program.
    static func of(_ error: any Error) -> Ending {
        switch error {
        case is BrokenPipe:
            return Ending(status: 0, message: "")
        case let failure as Failure:
            return Ending(status: failure.status, message: "vigil: \(failure.message)")
        case let error as ClientError:
            return Ending(status: 1, message: "vigil: \(error.commandText)")
        default:
            let code = VigilCommand.exitCode(for: error)
            let message = VigilCommand.fullMessage(for: error)
            return Ending(status: code == .validationFailure ? 2 : code.rawValue, message: message)
        }
    }

    /// Says the message and ends the process.
    func leave() -> Never {
        if !message.isEmpty {
            if status == 0 { try? Output.line(message) } else { Output.note(message) }
        }
        exit(status)
    }
}
