import CLibav

/// What libav asks while it waits: whether to give up. Lives as long as the libav object that holds its callback; used
/// by the thread that makes the call.
final class Interrupt {
    let stop: StopSignal
    /// When the call in progress is given up (CLOCK_BOOTTIME milliseconds).
    var deadline = Int64.max

    init(stop: StopSignal) { self.stop = stop }

    var isLate: Bool { BootClock.nowMs() >= deadline }

    /// For AVFormatContext and AVIOContext. Unretained: the owner keeps the object alive.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                let interrupt = Unmanaged<Interrupt>.fromOpaque(opaque).takeUnretainedValue()
                return interrupt.stop.isRaised || interrupt.isLate ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
