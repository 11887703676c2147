// What is ordered, in each way that Vigil orders by: the thread sanitizer reports nothing of it.
import Glibc
import Synchronization

final class Box: @unchecked Sendable {
    let lock = Mutex<[Int]>([])
    var value = 0
}

@main struct Ordered {
    static func main() async {
        let box = Box()
        // A mutex that others wait for.
        threads(4) { for _ in 0..<20_000 { box.lock.withLock { _ in box.value += 1 } } }
        precondition(box.value == 80_000)
        // An array is copied by who reads it, and written in place once the copy is given back.
        threads(4) {
            for turn in 0..<20_000 {
                if turn % 2 == 0 {
                    let copy = box.lock.withLock { $0 }
                    precondition(copy.reduce(0, +) >= 0)
                } else {
                    box.lock.withLock { if $0.count > 20 { $0.removeAll() } else { $0.append(turn) } }
                }
            }
        }
        for turn in 0..<3_000 {
            // A continuation that is resumed after it is awaited, and before. Nothing but it orders what both threads write.
            let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
            let address = Int(bitPattern: place)
            let resumed = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                Task.detached {
                    UnsafeMutablePointer<Int>(bitPattern: address)?.pointee = turn
                    continuation.resume(returning: 1)
                }
                if turn % 10 == 0 { usleep(500) }
            }
            precondition(place.pointee == turn && resumed == 1)
            place.deallocate()
            // A task that is waited for.
            box.value = 0
            await Task.detached { box.value += 1 }.value
            box.value += 1
        }
        // A string of 9 to 15 bytes, which is no object, kept by the library's own code.
        let texts: [Any] = ["letters: \(CommandLine.argc)", 1]
        precondition(texts.shuffled().map { "\($0)" }.joined().count == 11)
        print("ordered")
    }
}
