import Foundation
import Testing

@testable import Journal

@Suite("Records on their way to journald")
struct JournalSocketTests {
    private func journal(_ path: String, limits: JournalLimits = JournalLimits()) -> Journal {
        Journal(JournalOptions(version: "1.2.3", output: .journald, socketPath: path, limits: limits))
    }

    @Test("A record carries its kind, its words, its camera and its fields")
    func record() throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path)
        journal.send(.linkLost, camera: "front", fields: [(.why, "closed"), (.detail, "end of stream")])
        let record = try receiver.record()
        #expect(
            record == [
                "MESSAGE": "front: link lost: the camera closed the connection, end of stream",
                "PRIORITY": "4", "MESSAGE_ID": MessageKind.linkLost.id, "SYSLOG_IDENTIFIER": "vigil",
                "VIGIL_KIND": "linkLost", "VIGIL_RUN": journal.run.value, "VIGIL_CAMERA": "front",
                "VIGIL_WHY": "closed", "VIGIL_DETAIL": "end of stream",
            ])
    }

    @Test("What a camera says can forge neither a field nor a line, and secrets go")
    func hostile() throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path)
        let said = "no\nPRIORITY=0\n\u{1b}[2Jrtsp://root:hunter2@10.0.0.9/x \u{202e}"
        journal.send(.linkFailed, camera: "front", fields: [(.why, "garbage"), (.detail, said)])
        let record = try receiver.record()
        #expect(record["PRIORITY"] == "4")
        #expect(record["VIGIL_DETAIL"] == "no\nPRIORITY=0\n\u{1b}[2Jrtsp://10.0.0.9/x \u{202e}")
        #expect(
            record["MESSAGE"]
                == "front: dial failed: what answers does not speak RTSP, "
                + "no\\nPRIORITY=0\\n\\u{1b}[2Jrtsp://10.0.0.9/x \\u{202e}")
    }

    @Test("A long value is cut at a whole character")
    func longValue() throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path, limits: JournalLimits(valueBytesMax: 10))
        journal.send(.linkFailed, camera: "front", fields: [(.detail, String(repeating: "ä", count: 4) + "xü" + "y")])
        #expect(try receiver.record()["VIGIL_DETAIL"] == "ääääx…")
    }

    @Test("A record too long for a datagram comes as a sealed file, whole, and in order")
    func large() throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path, limits: JournalLimits(valueBytesMax: 3 << 20))
        let long = String(repeating: "0123456789abcdef", count: 65_536)
        journal.send(.linkFailed, camera: "a", fields: [(.detail, long)])
        journal.send(.linkFailed, camera: "b")
        let first = try receiver.record()
        #expect(first["VIGIL_DETAIL"] == long)
        #expect(receiver.seals == 1 | 2 | 4 | 8)
        #expect(try receiver.record()["VIGIL_CAMERA"] == "b")
    }

    @Test("The file of a large record is sealed against every change")
    func seals() throws {
        let receiver = try Receiver()
        let socket = try #require(JournalSocket(path: receiver.path))
        let bytes = [UInt8](repeating: 7, count: 300_000)
        #expect(socket.offer(bytes) == .needsThread)
        #expect(socket.deliver(bytes) == .delivered)
        #expect(try receiver.bytes() == bytes)
        #expect(receiver.seals == 1 | 2 | 4 | 8)
    }

    @Test("While journald is gone records wait, and come in order when it is back")
    func restart() throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path)
        journal.send(.linkLost, camera: "0")
        #expect(try receiver.record()["VIGIL_CAMERA"] == "0")
        receiver.shut()
        for number in 1...20 { journal.send(.linkLost, camera: "\(number)") }
        try receiver.open()
        for number in 1...20 { #expect(try receiver.record()["VIGIL_CAMERA"] == "\(number)") }
        #expect(journal.flush(timeoutMs: 20_000))
        #expect(journal.lostRecords == 0)
    }

    @Test("What does not fit into the queue is counted, and the count stands where the records are missing")
    func loss() throws {
        let receiver = try Receiver()
        receiver.shut()
        let journal = journal(receiver.path, limits: JournalLimits(queuedRecordsMax: 10))
        for number in 1...100 { journal.send(.linkLost, camera: "\(number)") }
        #expect(journal.lostRecords == 91)
        try receiver.open()
        for number in 1...9 { #expect(try receiver.record()["VIGIL_CAMERA"] == "\(number)") }
        let report = try receiver.record()
        #expect(report["VIGIL_KIND"] == "journalLost")
        #expect(report["VIGIL_COUNT"] == "91")
        #expect(report["MESSAGE"] == "records were lost: 91 records")
        journal.send(.linkLost, camera: "after")
        #expect(try receiver.record()["VIGIL_CAMERA"] == "after")
    }

    @Test("A slow journald holds nobody up, and gets every record in order")
    func slow() throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path)
        // Far more than a datagram socket queues; the sender must come through without a reader.
        for number in 1...2_000 { journal.send(.linkLost, camera: "\(number)") }
        for number in 1...2_000 { try #require(try receiver.record()["VIGIL_CAMERA"] == "\(number)") }
        #expect(journal.lostRecords == 0)
    }

    @Test("Closing hands over what waits, and later records count as lost")
    func closing() throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path)
        journal.send(.daemonStopped)
        #expect(journal.close(timeoutMs: 20_000))
        #expect(try receiver.record()["VIGIL_KIND"] == "daemonStopped")
        journal.send(.daemonStopped)
        #expect(journal.lostRecords == 1)
    }

    @Test("A record beyond the limit is refused, not cut")
    func tooLong() throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path, limits: JournalLimits(recordBytesMax: 1_000))
        journal.send(.linkFailed, camera: "a", fields: [(.detail, String(repeating: "x", count: 2_000))])
        #expect(try receiver.record()["VIGIL_KIND"] == "journalLost")
        #expect(journal.lostRecords == 1)
    }

    @Test("Many senders at once lose and mix nothing")
    func concurrent() async throws {
        let receiver = try Receiver()
        let journal = journal(receiver.path)
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask {
                    for number in 0..<100 {
                        journal.send(.linkLost, camera: "\(sender)", fields: [(.count, "\(number)")])
                    }
                }
            }
        }
        var next: [String: Int] = [:]
        for _ in 0..<400 {
            let record = try receiver.record()
            let camera = try #require(record["VIGIL_CAMERA"])
            #expect(record["VIGIL_COUNT"] == "\(next[camera, default: 0])")
            next[camera, default: 0] += 1
        }
        #expect(next == ["0": 100, "1": 100, "2": 100, "3": 100])
    }
}
