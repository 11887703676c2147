internal import Media

/// One run of a daemon, from its start to its end or its death.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class DaemonRun: @unchecked Sendable {
    let virtualTime: VirtualTime
    let conditions: HostConditions
    /// The boot in which it runs.
    let boot: Int
    /// When that boot was, by virtual time.
    let bootedAt: Int64
    /// Where the frames of its cameras lie.
    let slabs = SlabPool()
    /// What its tasks run on.
    let tasks: VirtualTasks
    private(set) var isAlive = true
    var virtualQueues: [VirtualQueue] = []
    var dials: [ScriptedDial] = []
    /// After so many steps of its recovery the process dies again.
    var recoverySteps: Int64?
    /// Told before it dies in its recovery: the last moment to see what it leaves.
    var onDeath: () throws -> Void = {}

    init(virtualTime: VirtualTime, conditions: HostConditions, boot: Int, bootedAt: Int64) {
        self.virtualTime = virtualTime
        tasks = VirtualTasks(virtualTime)
        self.conditions = conditions
        self.boot = boot
        self.bootedAt = bootedAt
    }

    /// One step of recovery more.
    ///
    /// - Throws: `Killed` when it was the last.
    func recovers() throws {
        guard let steps = recoverySteps else { return }
        recoverySteps = steps - 1
        guard steps <= 0 else { return }
        recoverySteps = nil
        try onDeath()
        isAlive = false
        tasks.die()
        throw Killed()
    }

    /// Whether no work is being done or waits to be.
    var isIdle: Bool { virtualQueues.allSatisfy { !$0.isBusy } }

    /// Nothing of it acts any more: the process is gone.
    func die() {
        isAlive = false
        tasks.die()
        for virtualQueue in virtualQueues { virtualQueue.end() }
        for dial in dials { dial.die() }
        dials = []
    }

    /// Ends the threads of a daemon that has stopped.
    func end() {
        isAlive = false
        tasks.die()
        for virtualQueue in virtualQueues { virtualQueue.end() }
    }
}
