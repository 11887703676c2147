/// How much is known of the daemon's machine.
enum MachineKnowledge<Machine: ReplayedMachine>: Sendable {
    /// Nothing.
    case none(Obstacle)
    /// This one, unless what is missing or different has changed it.
    case doubtful(Machine, Obstacle)
    /// This one.
    case certain(Machine)

    var machine: Machine? {
        switch self {
        case .none: nil
        case .doubtful(let machine, _), .certain(let machine): machine
        }
    }

    /// Why nothing can be compared.
    var obstacle: Obstacle? {
        switch self {
        case .none(let why), .doubtful(_, let why): why
        case .certain: nil
        }
    }

    /// The same with a reason for doubt; the first reason stays.
    func doubted(_ why: Obstacle) -> MachineKnowledge {
        if case .certain(let machine) = self { .doubtful(machine, why) } else { self }
    }

    /// The same with another machine, where there is one at all.
    func with(_ machine: Machine) -> MachineKnowledge {
        if case .doubtful(_, let why) = self { .doubtful(machine, why) } else { self }
    }
}
