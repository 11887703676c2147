import CLibav

/// What libav asks while it waits: whether to give up. Lives as long as the libav object that holds its callback; used
/// by the thread that makes the call.
final class Interrupt {
    let stop: StopSignal
    /// When the call in progress is given up (CLOCK_BOOTTIME milliseconds).
    var deadline = Int64.max
    /// How many bytes libav may still read, and whether it wanted more: between two looks of ours it may gather whatever it reads.
    private(set) var bytesLeft = Int.max
    private(set) var isSpent = false

    init(stop: StopSignal) { self.stop = stop }

    var isLate: Bool { BootClock.nowMs() >= deadline }

    /// Lets libav read so many bytes from now on.
    func allow(bytes: Int) { bytesLeft = bytes }

    /// How many of `wanted` bytes it may read now; nil: none.
    func grant(_ wanted: Int) -> Int? {
        isSpent = isSpent || bytesLeft <= 0
        return isSpent ? nil : max(0, min(wanted, bytesLeft))
    }

    func spend(_ bytes: Int) { bytesLeft -= bytes }

    /// For AVFormatContext and AVIOContext. Unretained: the owner keeps the object alive.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                let interrupt = Unmanaged<Interrupt>.fromOpaque(opaque).takeUnretainedValue()
                return interrupt.stop.isRaised || interrupt.isLate || interrupt.isSpent ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
