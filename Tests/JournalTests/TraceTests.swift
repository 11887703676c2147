import Foundation
import Machines
import Testing
import Trace

@testable import Journal

private enum Input: Codable { case tick, dialed(id: Int, url: String) }
private struct State: Codable {
    var link = "off"
    var streams = ["zeta": 1, "alpha": 2, "a/b": 3]
}
private enum Effect: Codable { case dial(id: Int) }

@Suite("The trace of the machines")
struct TraceTests {
    private func journal(_ receiver: Receiver, limits: JournalLimits = JournalLimits()) -> Journal {
        Journal(JournalOptions(version: "1.2.3", output: .journald, socketPath: receiver.path, limits: limits))
    }

    @Test("A step is written with its number, instant, input and digest; a visible one is in the camera's life")
    func step() throws {
        let receiver = try Receiver()
        let journal = journal(receiver)
        let input = Input.dialed(id: 7, url: "rtsp://u:secret@h/")
        let digest = try journal.trace(
            camera: "front", seq: 0, at: Instant(ms: 1_234), input: input, state: State(),
            effects: [Effect.dial(id: 8)], visible: true,
            fields: [(.event, "dialed"), (.from, "dialing"), (.to, "synchronizing"), (.seq, "99")])
        let record = try receiver.record()
        #expect(record["MESSAGE"] == "front: step: 0, dialed, from dialing, to synchronizing")
        #expect(record["PRIORITY"] == "7")
        #expect(record["MESSAGE_ID"] == MessageKind.machineStep.id)
        #expect(record["VIGIL_CAMERA"] == "front" && record["VIGIL_TRACE"] == "front")
        #expect(record["VIGIL_SEQ"] == "0" && record["VIGIL_AT"] == "1234")
        #expect(record["VIGIL_INPUT"] == #"{"dialed":{"id":7,"url":"rtsp://h/"}}"#)
        #expect(record["VIGIL_STATE"] == (try CanonicalJSON.text(of: State())))
        let written = #"{"dialed":{"id":7,"url":"rtsp://h/"}}"#
        let expected = Digest(
            of: Array("1234\n\(written)\n\(try CanonicalJSON.text(of: State()))\n[{\"dial\":{\"id\":8}}]".utf8))
        #expect(digest == expected && record["VIGIL_DIGEST"] == expected.description)
        let again = try Digest(at: Instant(ms: 1_234), input: written, state: State(), effects: [Effect.dial(id: 8)])
        #expect(again == expected)
        #expect(record["VIGIL_BOOT"] == (try BootID.current().value))
        #expect(record["VIGIL_VERSION"] == "1.2.3" && record["VIGIL_RUN"] == journal.run.value)
        #expect(record["VIGIL_FROM"] == "dialing")
    }

    @Test("A quiet step is not in the camera's life; the whole state comes first, every 256 steps, and after a loss")
    func quiet() throws {
        let receiver = try Receiver()
        let journal = journal(receiver, limits: JournalLimits(recordBytesMax: 2_000))
        func trace(_ seq: UInt64, camera: String = "a") throws {
            try journal.trace(
                camera: camera, seq: seq, at: Instant(ms: 0), input: Input.tick, state: State(),
                effects: [Effect](), visible: false)
        }
        for seq: UInt64 in 1...600 {
            try trace(seq)
            let record = try receiver.record()
            #expect(record["VIGIL_CAMERA"] == nil && record["VIGIL_TRACE"] == "a")
            #expect((record["VIGIL_STATE"] != nil) == [1, 256, 512].contains(seq), "step \(seq)")
        }
        for _ in 1...2 {
            try trace(1, camera: "b")
            #expect(try receiver.record()["VIGIL_STATE"] != nil)
        }
        journal.send(.linkFailed, fields: [(.detail, String(repeating: "x", count: 3_000))])
        #expect(try receiver.record()["VIGIL_KIND"] == "journalLost")
        try trace(601)
        #expect(try receiver.record()["VIGIL_STATE"] != nil)
        try trace(602)
        #expect(try receiver.record()["VIGIL_STATE"] == nil)
    }

    @Test("What was sent is read back the same, from the export format and from JSON")
    func roundTrip() throws {
        let receiver = try Receiver()
        let journal = journal(receiver)
        var export: [UInt8] = Array("__CURSOR=x\nMESSAGE=no trace\n\n".utf8)
        var json = "{\"MESSAGE\":\"no trace\"}\n\n"
        var sent: [[String: String]] = []
        for seq: UInt64 in [0, 1, 2, 5, 6, 9, 6] {
            try journal.trace(
                camera: "front\nx", seq: seq, at: Instant(ms: Int64(seq)), input: Input.tick, state: State(),
                effects: [Effect](), visible: false)
            let bytes = try receiver.bytes()
            export += bytes + [10]
            sent.append(try #require(try Receiver.parse(bytes)))
            let line = try JSONEncoder().encode(sent[sent.count - 1])
            json += String(decoding: line, as: UTF8.self) + "\n"
        }
        for (text, passedOver) in [(export, 1), (Array(json.utf8), 1)] {
            var reader = try TraceReader(path: try Scratch.file(text))
            let records = try reader.readAll()
            #expect(records.map(\.seq) == [0, 1, 2, 5, 6, 9, 6])
            #expect(reader.passedOver == passedOver)
            #expect(reader.gaps.all.map(\.missing) == [3...4, 7...8])
            #expect(reader.gaps.repeated == 1)
            #expect(
                reader.gaps.all.first?.description
                    == "front\nx: steps 3–4 missing in run \(journal.run)")
            for (record, fields) in zip(records, sent) {
                #expect(record.camera == "front\nx" && record.run == journal.run.value)
                #expect(record.input == fields["VIGIL_INPUT"] && record.state == fields["VIGIL_STATE"])
                #expect(record.digest.description == fields["VIGIL_DIGEST"] && record.version == "1.2.3")
                #expect(record.boot == fields["VIGIL_BOOT"] && "\(record.at.ms)" == fields["VIGIL_AT"])
            }
        }
    }
}
