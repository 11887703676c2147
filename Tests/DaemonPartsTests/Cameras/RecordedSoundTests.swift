import Machines
import Testing

@testable import Daemon

@Suite("Recorded sound")
struct RecordedSoundTests {
    @Test("each position of the ring is judged by the switch that held there, however often it was turned since")
    func positions() {
        let sound = RecordedSound()
        #expect(sound.isOn && sound.onSince == nil && sound.includes(7))
        sound.turn(false, from: 100, at: Instant(ms: 1_000))
        sound.turn(false, from: 150, at: Instant(ms: 1_500))
        sound.turn(true, from: 200, at: Instant(ms: 2_000))
        sound.turn(false, from: 300, at: Instant(ms: 3_000))
        let included = [99, 100, 199, 200, 299, 300].map { sound.includes(UInt64($0)) }
        #expect(included == [true, false, false, true, true, false])
        #expect(!sound.isOn && sound.onSince == nil)
        sound.turn(true, from: 400, at: Instant(ms: 4_000))
        #expect(sound.isOn && sound.onSince == Instant(ms: 4_000))
    }

    @Test("sound that came before it was switched on is left out, also where it is handed over later")
    func arrivals() {
        let sound = RecordedSound()
        sound.turn(false, from: 100, at: Instant(ms: 1_000))
        sound.turn(true, from: 200, at: Instant(ms: 2_000))
        func includes(_ arrivalMs: Int64, at position: UInt64) -> Bool {
            sound.includes(position, cameAt: Instant(ms: arrivalMs))
        }
        #expect(!includes(2_000, at: 200) && includes(2_001, at: 200))
        #expect(includes(500, at: 50) && !includes(2_500, at: 150))
    }
}
