internal import Synchronization

/// Memory that decoders share, so that however many there are take no more together.
public final class DecoderBudget: Sendable {
    /// What one decoder has of it, given back with the last reference.
    public final class Share: Sendable {
        private let budget: DecoderBudget
        private let bytes: Int

        fileprivate init(_ budget: DecoderBudget, _ bytes: Int) { (self.budget, self.bytes) = (budget, bytes) }

        deinit { budget.taken.withLock { $0 -= bytes } }
    }

    /// The most bytes of all of them.
    public let bytesMax: Int
    private let taken = Mutex(0)

    /// A budget of which nothing is taken.
    public init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// A share of so many bytes, 0 or more; nil where so much is not left.
    public func take(_ bytes: Int) -> Share? {
        let isThere = taken.withLock { taken in
            guard bytes <= bytesMax - taken else { return false }
            taken += bytes
            return true
        }
        return isThere ? Share(self, bytes) : nil
    }
}
