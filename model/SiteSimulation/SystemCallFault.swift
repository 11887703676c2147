internal import CFaults
internal import Daemon
internal import Glibc

/// A fault in one of the system calls of a step: the daemon's own code below the step, and SQLite, meet it.
struct SystemCallFault {
    let fault: Fault
    let code: Int32
    /// Bytes that the first write stores.
    var bytes: Int = 0

    /// The calls of a step in which it can be met; 0 for a step that is only a place between others.
    static func calls(of step: DiskStep) -> Int {
        switch step {
        case .makeFolder: Int(vigil_calls_name)
        case .createFile: Int(vigil_calls_name | vigil_calls_write)
        case .write: Int(vigil_calls_write)
        case .syncFolder, .syncFile, .finishFile: Int(vigil_calls_sync)
        case .insertRow, .closeRow, .event, .heartbeat, .subscription, .upload:
            Int(vigil_calls_write | vigil_calls_sync)
        case .delete, .recover: 0
        }
    }

    /// Does `work` with the fault in it; says how many calls it struck. `cuts`: the end of the file cannot be cut off either.
    func strike<Result>(_ step: DiskStep, cuts: Bool, keepsTails: Bool, _ work: () throws -> Result) -> (
        Swift.Result<Result, any Error>, Int
    ) {
        var calls = Self.calls(of: step)
        if cuts { calls |= Int(vigil_calls_cut) }
        if keepsTails { calls |= Int(vigil_calls_tail) }
        vigil_fault_arm(UInt32(calls), code, bytes)
        let result = Swift.Result { try work() }
        return (result, Int(vigil_fault_disarm()))
    }
}
