// Two threads that write one variable, which nothing orders: the thread sanitizer reports it.
import Glibc

final class Box: @unchecked Sendable {
    static let shared = Box()
    var value = 0
}

func race() {
    let threads = (0..<2).map { _ in
        var thread = pthread_t()
        let failed = pthread_create(
            &thread, nil,
            { _ in
                for _ in 0..<2_000 { Box.shared.value += 1 }
                return nil
            }, nil)
        precondition(failed == 0)
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
}

@main struct Races {
    static func main() {
        race()
        print(Box.shared.value)
    }
}
