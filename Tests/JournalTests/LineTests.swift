import Foundation
import Glibc
import Logging
import Testing
import Trace

@testable import Journal

@Suite("Plain lines and log statements")
struct LineTests {
    @Test("Without journald a record is a line with time, priority, camera and event")
    func line() throws {
        let format = LineFormat(hasPriorityPrefix: false, priorityMax: .info)
        let composer = RecordComposer(options: JournalOptions(version: "1"))
        let bytes = format.line(
            wallMs: 1_792_562_385_123, priority: .warning, camera: "front door", fields: [(.event, "17")],
            message: MessageText.render(.linkLost, camera: nil, fields: [(.why, "silence")]))
        #expect(
            bytes.map { String(decoding: $0, as: UTF8.self) }
                == "2026-10-21T05:59:45.123Z warning camera=front_door event=17 link lost: the camera fell silent\n")
        #expect(composer.line(.machineIgnored, camera: "a", format: format) == nil)
        #expect(LineFormat.time(-1) == "1969-12-31T23:59:59.999Z")
        #expect(LineFormat.time(951_782_400_000) == "2000-02-29T00:00:00.000Z")
    }

    @Test("A stream of journald gets the priority in front")
    func prefix() throws {
        let file = try Scratch.file([])
        let descriptor = open(file, O_RDWR)
        defer { close(descriptor) }
        var facts = stat()
        fstat(descriptor, &facts)
        let right = ["JOURNAL_STREAM": "\(facts.st_dev):\(facts.st_ino)"]
        #expect(StderrLines.isJournalStream(descriptor: descriptor, environment: right))
        #expect(!StderrLines.isJournalStream(descriptor: descriptor, environment: ["JOURNAL_STREAM": "1:2"]))
        #expect(!StderrLines.isJournalStream(descriptor: descriptor, environment: [:]))
        let line = LineFormat(hasPriorityPrefix: true, priorityMax: .info)
            .line(wallMs: 0, priority: .notice, camera: nil, fields: [], message: "x")
        #expect(line == Array("<5>1970-01-01T00:00:00.000Z notice x\n".utf8))
    }

    @Test("A long line is cut at a whole character")
    func cut() throws {
        let format = LineFormat(hasPriorityPrefix: false, priorityMax: .info)
        for pad in 0..<4 {
            let message = String(repeating: "x", count: pad) + String(repeating: "😀", count: 2_000)
            let line = try #require(
                format.line(wallMs: 0, priority: .info, camera: nil, fields: [], message: message))
            #expect(line.count <= StderrLines.lineBytesMax && line.count > StderrLines.lineBytesMax - 5)
            #expect(String(validating: line, as: UTF8.self) != nil)
        }
    }

    @Test("Lines come out in order through the owned thread, and the trace does not")
    func pipe() throws {
        let pipe = Pipe()
        let journal = Journal(
            JournalOptions(
                version: "1", output: .lines, linesDescriptor: pipe.fileHandleForWriting.fileDescriptor))
        #expect(journal.native == nil)
        for number in 0..<50 { journal.send(.linkLost, camera: "\(number)") }
        try journal.trace(
            camera: "a", seq: 1, at: MachineClock().now(), input: 1, state: 2, effects: [3], visible: true)
        #expect(journal.close(timeoutMs: 20_000))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let cameras = text.split(separator: "\n").map { $0.split(separator: " ")[2] }
        #expect(cameras == (0..<50).map { "camera=\($0)" })
    }

    @Test("Where there is no journald socket the journal says so and writes lines")
    func automatic() throws {
        let pipe = Pipe()
        let journal = Journal(
            JournalOptions(
                version: "1", socketPath: try Scratch.folder() + "/none",
                linesDescriptor: pipe.fileHandleForWriting.fileDescriptor))
        journal.send(.daemonReady, fields: [(.count, "4")])
        #expect(journal.native == nil && journal.close(timeoutMs: 20_000))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.hasSuffix(" notice Vigil is ready: cameras: 4\n"))
    }

    @Test("A socket that a dead journald left behind counts as none")
    func stale() throws {
        let receiver = try Receiver()
        #expect(JournalSocket.listens(at: receiver.path))
        receiver.hangUp()
        #expect(FileManager.default.fileExists(atPath: receiver.path))
        #expect(!JournalSocket.listens(at: receiver.path))
        #expect(!JournalSocket.listens(at: "/" + String(repeating: "x", count: 200)))
    }

    @Test("A record waits while a dead journald's socket is still there")
    func refused() throws {
        let receiver = try Receiver()
        let journal = Journal(JournalOptions(version: "1", output: .journald, socketPath: receiver.path))
        receiver.hangUp()
        journal.send(.daemonReady)
        unlink(receiver.path)
        try receiver.open()
        #expect(try receiver.record()["VIGIL_KIND"] == "daemonReady")
    }

    @Test("Metadata of a log statement becomes fields, its message stays, its error is shown")
    func handler() throws {
        struct Broken: Error, CustomStringConvertible { let description = "rtsp://u:p@h/ broke" }
        let receiver = try Receiver()
        let journal = Journal(JournalOptions(version: "1", output: .journald, socketPath: receiver.path))
        var logger = Logger(label: "http") { JournalLogHandler(label: $0, journal: journal) }
        logger[metadataKey: "camera"] = "front"
        logger.error("request failed", error: Broken(), metadata: ["status": "500", "trace": "x", "list": ["a", "b"]])
        let record = try receiver.record()
        #expect(record["MESSAGE"] == "front: request failed")
        #expect(record["PRIORITY"] == "3" && record["SYSLOG_IDENTIFIER"] == "vigil")
        #expect(record["VIGIL_CAMERA"] == "front" && record["VIGIL_STATUS"] == "500")
        #expect(record["VIGIL_TRACE"] == nil && record["VIGIL_META_TRACE"] == "x")
        #expect(record["VIGIL_ERROR"] == "rtsp://h/ broke" && record["VIGIL_LOGGER"] == "http")
        #expect(record["CODE_FILE"]?.hasSuffix("LineTests.swift") == true)
        #expect(record["MESSAGE_ID"] == nil)
        logger.debug("not shown")
        logger.critical("next\nline")
        let next = try receiver.record()
        #expect(next["MESSAGE"] == "front: next\\nline" && next["PRIORITY"] == "2")
    }
}
