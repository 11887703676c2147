internal import ServiceLifecycle

/// All listeners as one service, so that they end at the same time: what each waits for at a stop does not add up.
struct ListenerGroup: Service {
    let services: [ListenerService]

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            while try await group.next() != nil {
                // One that ends by itself ends the daemon, as any service does.
                if !Task.isShuttingDownGracefully { group.cancelAll() }
            }
        }
    }
}
