internal import Explorer

/// One machine in one world, or one plan, with what is promised of it: what can be explored, printed and checked by name.
public struct Subject: Sendable {
    /// What a check found.
    public struct Finding: Sendable {
        /// How many states the graph has.
        public let states: Int
        /// How many steps.
        public let edges: Int
        /// How many steps the farthest state is away.
        public let depth: Int
        /// Each promise, with the complaint if it is broken.
        public let verdicts: [(promise: String, complaint: String?)]

        /// No promise is broken.
        public var isGood: Bool { verdicts.allSatisfy { $0.complaint == nil } }
    }

    /// `Camera-link`: the machine, then the view.
    public let name: String
    /// How large a graph is.
    public enum Size: Int, Sendable {
        /// Any build checks it in seconds.
        case everyday
        /// A release build does.
        case large
        /// Minutes and gigabytes, so only by its name.
        case huge
    }

    /// How large it is.
    public let size: Size
    /// The names of its promises.
    public let promises: [String]
    /// Explores it and asks every promise.
    public let check: @Sendable () throws -> Finding
    /// Explores it and prints it, one line a step.
    public let lines: @Sendable () throws -> [String]

    /// A world and its promises. The world is made only when it is explored.
    public init<M: World>(
        _ name: String, _ world: @autoclosure @escaping @Sendable () throws -> M, size: Size = .everyday,
        _ promises: [Property<M>]
    ) {
        self.name = name
        self.size = size
        self.promises = promises.map(\.name)
        check = {
            let world = try world()
            let graph = try Graph(world)
            return Finding(
                states: graph.states.count, edges: graph.edgeCount, depth: graph.depth.max() ?? 0,
                verdicts: promises.map { ($0.name, $0.complaint(on: graph, of: world)) })
        }
        lines = {
            let world = try world()
            return try Graph(world).lines(of: world)
        }
    }

    /// One that is asked in another way.
    init(
        name: String, size: Size, promises: [String], check: @escaping @Sendable () throws -> Finding,
        lines: @escaping @Sendable () throws -> [String]
    ) {
        self.name = name
        self.size = size
        self.promises = promises
        self.check = check
        self.lines = lines
    }
}
