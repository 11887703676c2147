import Testing

@testable import ONVIF
@testable import XML

@Suite("Sources of a device that cannot be asked for its states")
struct UnconfirmedSourcesTests {
    private let begin = ContinuousClock.now
    private let name = "onvif-motion"

    /// So many milliseconds after the begin.
    private func at(_ ms: Int64) -> ContinuousClock.Instant { begin + .milliseconds(ms) }

    private func message(_ value: String) throws -> DeviceNotification {
        let text = """
            <r><NotificationMessage><Topic>tns1:VideoSource/MotionAlarm</Topic><Message><Message PropertyOperation="Changed">\
            <Source><SimpleItem Name="Source" Value="s"/></Source><Data><SimpleItem Name="State" Value="\(value)"/></Data>\
            </Message></Message></NotificationMessage></r>
            """
        let answer = try XMLNode.parse(Array(text.utf8), within: SOAPAnswer.bounds)
        return try #require(DeviceNotification.read(answer).first)
    }

    /// A device with one camera, as the one who follows it knows it.
    private struct Followed {
        var sources: [String: DeviceSources] = [:]
        var unconfirmed = UnconfirmedSources()

        mutating func take(_ message: DeviceNotification, at now: ContinuousClock.Instant) throws {
            let fact = sources["a", default: DeviceSources()].take(message)
            unconfirmed.take(try #require(fact), of: "a", at: now)
        }

        /// What is told when it is held at these moments, in order.
        mutating func held(at moments: ContinuousClock.Instant...) -> [[DeviceSources.Fact]] {
            var told: [[DeviceSources.Fact]] = []
            for now in moments {
                let unconfirmed = unconfirmed
                told.append(unconfirmed.hold(&sources, at: now).map(\.fact))
            }
            return told
        }
    }

    @Test("What is on is told again for ten minutes after the device told it last, then it is off, once")
    func tenMinutes() throws {
        var device = Followed()
        try device.take(try message("true"), at: begin)
        let facts = device.held(at: at(10_000), at(599_999), at(600_000), at(600_001))
        #expect(facts == [[.on(name)], [.on(name)], [.off(name)], []])
        #expect(device.sources["a"]?.names == [])
    }

    @Test("What is told anew is believed for ten minutes from then on, and what is off is told no more")
    func renewed() throws {
        var device = Followed()
        try device.take(try message("true"), at: begin)
        try device.take(try message("true"), at: at(500_000))
        let renewed = device.held(at: at(1_099_999))
        try device.take(try message("false"), at: at(1_099_999))
        let ended = device.held(at: at(1_100_000))
        // The next movement has a time of its own.
        try device.take(try message("true"), at: at(2_000_000))
        let next = device.held(at: at(2_599_999), at(2_600_000))
        #expect(renewed == [[.on(name)]] && ended == [[]] && next == [[.on(name)], [.off(name)]])
    }

    @Test("What only a subscription before has told is off")
    func before() throws {
        var device = Followed()
        try device.take(try message("true"), at: begin)
        device.unconfirmed = UnconfirmedSources()
        let facts = device.held(at: at(1), at(2))
        #expect(facts == [[.off(name)], []])
    }
}
