import Machines
import Testing

@testable import Daemon
@testable import Media

@Suite("The moment of an event with most motion")
struct EventPictureTests {
    /// What a look says `ms` after the stream's beginning, which was at 10 s; key frames come each two seconds.
    private func look(_ ms: Int64, share: Double?) -> MotionObservation {
        MotionObservation(
            pts: ms * 90, arrival: Instant(ms: 10_000 + ms), keyPts: ms / 2_000 * 2_000 * 90,
            level: share == nil ? nil : .low, score: share == nil ? 0 : 1, zonesByLevel: [], regions: [],
            movingShare: share ?? 0, conditions: [])
    }

    @Test("on the recorded stream it is the key frame around which most moves, else the picture itself")
    func choice() {
        for (keyed, expected) in [(true, Int64(14_000)), (false, 14_200)] {
            var picture = EventPicture()
            picture.begin(at: Instant(ms: 12_000), keyed: keyed)
            for (ms, share) in [(2_000, 0.1), (3_000, 0.15), (4_200, 0.3), (6_000, 0.2)] as [(Int64, Double)] {
                picture.take(look(ms, share: share), keyed: keyed)
            }
            #expect(picture.end() == Instant(ms: expected))
            #expect(picture.end() == nil)
        }
    }

    @Test("the motion that began the event belongs to it, older motion does not")
    func before() {
        for (begin, expected) in [(Int64(13_500), Instant(ms: 12_500)), (14_501, nil)] as [(Int64, Instant?)] {
            var picture = EventPicture()
            picture.take(look(2_500, share: 0.4), keyed: false)
            picture.take(look(2_700, share: nil), keyed: false)
            picture.begin(at: Instant(ms: begin), keyed: false)
            #expect(picture.end() == expected)
        }
    }

    @Test("an event that no detector saw has none, and takes none over from the one before")
    func none() {
        var picture = EventPicture()
        picture.begin(at: Instant(ms: 10_000), keyed: true)
        picture.take(look(100, share: 0.5), keyed: true)
        #expect(picture.end() == Instant(ms: 10_000))
        picture.begin(at: Instant(ms: 20_000), keyed: true)
        #expect(picture.end() == nil)
    }
}
