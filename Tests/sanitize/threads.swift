import Glibc

/// So many threads that do `body`, and are waited for. Threads of the system: what orders tasks orders nothing here.
func threads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let begun = (0..<count).map { _ in
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        let failed = pthread_create(
            &thread, nil,
            {
                Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run()
                return nil
            }, context)
        precondition(failed == 0)
        return thread
    }
    for thread in begun { pthread_join(thread, nil) }
}
