import Testing

@testable import Journal

/// What counts of the records that a camera may make in a minute.
@Suite struct RecordBudgetTests {
    private let journal = Journal(JournalOptions(version: "1")) { _ in }

    @Test(
        "what a camera brings about counts",
        arguments: [
            MessageKind.linkLost, .streamChanged, .clipOpened, .writeFailed, .eventBegan, .substreamLost,
            .coverageChanged,
            .machineIgnored, .ingestBegan, .onvifLost,
        ])
    func counted(_ kind: MessageKind) {
        for _ in 0..<3 { journal.send(kind, camera: "gate", fields: [(.why, "a reason")]) }
        // Unless a minute ends amid this.
        let counts = (journal.recordsInMinute(of: "gate"), journal.recordsInMinute(of: "door"))
        #expect((1...3).contains(counts.0) && counts.1 == 0)
    }

    @Test(
        "what others bring about does not",
        arguments: [
            MessageKind.clipDeleted, .clipRecovered, .exportIncomplete, .requestBrokeOff, .mqttCommandFailed,
            .uploadFailed,
            .clipFetchFailed, .picturesViewed, .loginTriesRefused, .transportPushWaits, .planChanged,
        ])
    func uncounted(_ kind: MessageKind) {
        for _ in 0..<3 { journal.send(kind, camera: "gate", fields: [(.why, "a reason")]) }
        #expect(journal.recordsInMinute(of: "gate") == 0)
    }

    @Test("what a viewer or a user brings about does not", arguments: [Field.session, .user])
    func people(_ field: Field) {
        for kind in MessageKind.allCases { journal.send(kind, camera: "gate", fields: [(field, "somebody")]) }
        #expect(journal.recordsInMinute(of: "gate") == 0)
    }
}
