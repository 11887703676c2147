import Testing

@testable import Policies

@Suite struct ExplainTests {
    @Test func `The shop's policy in words`() throws {
        #expect(
            try Fixture.policy(Fixture.shop).explain() == [
                "shop",
                "Unless the schedule says otherwise: records always, in clips of 10 min; marks movement (medium) as events of at most 60 s.",
                "Mon–Fri 08:00–18:30: records while something moves (medium), events of at most 60 s (10 s from the first movement and 5 s for each further one), 5 s of pre-roll.",
                "The camera stays connected whenever recording is wanted.",
                "Keeps continuous recordings for 7 days, events for 30 days; at most 500GB for each camera, the oldest goes first.",
            ])
    }

    @Test func `Nights, whole days, off and blind in words`() throws {
        let policy = try Fixture.policy(
            """
            name: a
            description: Test
            recording: { blind: 20s, connection: onDemand }
            schedule:
              - { days: fri-mon, from: "22:00", to: "06:00", mode: off }
              - { days: "sat,sun", from: "00:00", to: "24:00", blind: 0s, preRoll: 90s }
            """.replacing("90s", with: "9s"))
        #expect(
            policy.explain() == [
                "a: Test",
                "Unless the schedule says otherwise: records while something moves (medium), events of at most 60 s (10 s from the first movement and 5 s for each further one), no pre-roll, then blind for 20 s.",
                "Fri–Mon 22:00–06:00 (next day): records nothing.",
                "Sat, Sun all day: records while something moves (medium), events of at most 60 s (10 s from the first movement and 5 s for each further one), 9 s of pre-roll.",
                "Where these times overlap, the one further down holds.",
                "The camera is connected only for an event, a viewer or continuous recording.",
                "Keeps recordings of any age.",
            ])
    }
}
