import Foundation
import Machines
import Testing

@testable import Media

/// Real TLS servers with certificates of every kind (Tests/rig/tls_cameras.py).
@Suite(
    "Cameras over TLS", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
struct TLSTests {
    private struct Camera {
        let address: String
        let authority: String
    }

    /// The cameras while `body` dials them.
    private func cameras(_ body: ([String: Camera]) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "vigil-tls-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ConformanceRig.program)
        process.arguments = [
            ConformanceRig.root.appendingPathComponent("Tests/rig/tls_cameras.py").path, folder,
        ]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        var reader = LineReader(handle: output.fileHandleForReading)
        var cameras: [String: Camera] = [:]
        while let line = reader.next(), line != "ready" {
            let words = line.split(separator: " ").map(String.init)
            cameras[words[1]] = Camera(address: words[2], authority: words[3])
        }
        try #require(cameras.count == 7)
        try body(cameras)
    }

    /// Dials a camera until it ends.
    private func dial(
        _ camera: Camera?, _ verification: TLSRules.Verification, credential: CameraCredential? = nil,
        authority: Bool = true
    ) throws -> CollectingSink.Seen {
        let camera = try #require(camera)
        let sink = CollectingSink()
        let rules = TLSRules(authorityFile: authority ? camera.authority : nil, verification: verification)
        let source = InputSource.rtsp(try RTSPAddress(camera.address), credential: credential, tls: rules)
        let input = Input(name: "tls", source: source, pool: SlabPool(), sink: sink)
        input.start()
        let hasEnded = sink.wait { !$0.ends.isEmpty }
        input.stop()
        #expect(hasEnded)
        return sink.seen
    }

    /// Why TLS failed; nil where the camera was read to its end.
    private func refusal(_ seen: CollectingSink.Seen) -> String? {
        guard case .failed(let failure, let detail)? = seen.ends.first else { return "no end" }
        if failure == .closed, seen.frames.count > 25 { return nil }
        return failure == .tls ? detail : "\(failure): \(detail)"
    }

    @Test("a certificate is checked as tls.verify says, and what is wrong with it is said (H9)")
    func certificates() throws {
        try cameras { cameras in
            for rules in TLSRules.Verification.allCases {
                for name in ["good", "self"] {
                    let why = try refusal(dial(cameras[name], rules))
                    #expect(why == nil)
                }
            }
            let other = try #require(refusal(try dial(cameras["other"], .full)))
            #expect(other.contains("names another host") && other.contains("tls.verify: chain"))
            let chained = try refusal(dial(cameras["other"], .chain))
            #expect(chained == nil)
            let flaws = ["expired": "has expired on 2020-01-02", "early": "not valid yet", "stranger": "tls.ca"]
            for (name, words) in flaws {
                for rules in [TLSRules.Verification.full, .chain] {
                    let why = try #require(refusal(try dial(cameras[name], rules)))
                    #expect(why.contains(words), "\(name): \(why)")
                }
                let unchecked = try refusal(dial(cameras[name], .none))
                #expect(unchecked == nil)
            }
            let unknown = try #require(refusal(try dial(cameras["good"], .full, authority: false)))
            #expect(unknown.contains("no authority that is trusted"))
            let missing = Camera(address: cameras["good"]?.address ?? "", authority: "/nowhere.pem")
            let unusable = try #require(refusal(try dial(missing, .full)))
            #expect(unusable.contains("tls.ca cannot be used"))
        }
    }

    @Test("a password goes over TLS to a camera that knows basic login only, without allowBasic")
    func basic() throws {
        try cameras { cameras in
            let credential = CameraCredential(user: "admin", password: "s3cret")
            let why = try refusal(dial(cameras["basic"], .full, credential: credential))
            #expect(why == nil)
        }
    }

    @Test("records that have come are read one behind the other, without a rest between them", .timeLimit(.minutes(15)))
    func records() throws {
        try cameras { cameras in
            let address = try RTSPAddress(try #require(cameras["good"]).address)
            let (deadline, questions) = (BootClock.nowMs() + 30_000, 20)
            let transport = try TLSTransport.connect(
                host: address.host, port: address.port, rules: TLSRules(verification: .none), deadline: deadline,
                stop: StopSignal())
            let question = "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
            try transport.write(Array(String(repeating: question, count: questions).utf8), deadline: deadline)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 160 << 10, alignment: 16)
            defer { buffer.deallocate() }
            var (answers, rests) = (0, 0)
            while answers < questions {
                if !transport.mayHaveMore {
                    rests += 1
                    Thread.sleep(forTimeInterval: 0.1)
                }
                guard let count = try transport.read(into: buffer, deadline: deadline) else {
                    Issue.record("\(answers) answers in time")
                    return
                }
                // The camera sends each answer by itself, so each is a record.
                let text = String(decoding: buffer[..<count], as: UTF8.self)
                answers += text.components(separatedBy: "RTSP/1.0").count - 1
            }
            #expect(rests < questions / 2)
        }
    }

    @Test("a server that is none, and one that never answers the handshake, are told apart", .timeLimit(.minutes(15)))
    func noTLS() throws {
        for (says, failure) in [("RTSP/1.0 400 Bad Request\r\n\r\n", LinkFailure.tls), (nil, .timeout)] {
            let peer = try HostilePeer { connection in
                if let says { _ = connection.send(Array(says.utf8)) }
                while connection.request() != nil {}
            }
            defer { peer.stop() }
            let sink = CollectingSink()
            var limits = InputLimits()
            limits.dialMs = failure == .timeout ? 500 : 30_000
            let source = InputSource.rtsp(try RTSPAddress("rtsps://127.0.0.1:\(peer.port)/x"))
            let input = Input(name: "tls", source: source, limits: limits, pool: SlabPool(), sink: sink)
            input.start()
            #expect(sink.wait { !$0.ends.isEmpty })
            guard case .failed(let cause, _)? = sink.seen.ends.first else {
                Issue.record("\(sink.seen.ends)")
                continue
            }
            #expect(cause == failure)
        }
    }
}
