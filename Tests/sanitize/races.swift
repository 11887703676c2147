// Two threads that write one variable, which nothing orders: the thread sanitizer reports it.
final class Box: @unchecked Sendable { var value = 0 }

@main struct Races {
    static func main() {
        let box = Box()
        threads(2) { for _ in 0..<2_000 { box.value += 1 } }
        print(box.value)
    }
}
