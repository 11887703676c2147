import Foundation
import Glibc
import Machines
import Testing

@testable import Media

@Suite("RTSP cameras", .serialized)
struct RTSPInputTests {
    static let sdp = """
        v=0
        s=x
        a=control:*
        m=video 0 RTP/AVP 96
        a=rtpmap:96 H264/90000
        a=control:track1
        m=application 0 RTP/AVP 107
        a=rtpmap:107 vnd.onvif.metadata/90000

        """

    static func ok(_ fields: String = "", body: String = "") -> String {
        let text = body.replacingOccurrences(of: "\n", with: "\r\n")
        let length = text.isEmpty ? "" : "Content-Length: \(text.utf8.count)\n"
        return "RTSP/1.0 200 OK\nCSeq: CSEQ\n\(fields)\(length)\n\(body)"
    }

    /// A camera without login that plays `bytes` and then closes or is silent.
    static func plain(_ bytes: [UInt8], closes: Bool = true)
        -> @Sendable (ScriptedCamera.Request, SocketAddress) -> ScriptedCamera.Answer?
    {
        { request, _ in
            switch request.method {
            case "OPTIONS": .init(text: ok("Public: DESCRIBE, SETUP, PLAY, GET_PARAMETER\n"))
            case "DESCRIBE": .init(text: ok("Content-Base: \(request.uri)/\n", body: sdp))
            case "SETUP":
                .init(text: ok("Session: 12345678;timeout=60\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\n"))
            case "PLAY": .init(text: ok(), bytes: bytes, closes: closes)
            default: .init(text: ok())
            }
        }
    }

    /// A short H.264 stream as frames, by way of a file.
    static func frames(_ maker: MediaMaker, bFrames: Int = 2) throws -> [Frame] {
        let file = try maker.make(
            "source.ts", seconds: 2,
            video: [
                "-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-bf", "\(bFrames)", "-b:v", "2M", "-pix_fmt",
                "yuv420p",
            ])
        let sink = CollectingSink()
        Input(name: "make", source: .file(path: file, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        return sink.seen.frames
    }

    static func run(
        _ camera: ScriptedCamera, credential: CameraCredential? = nil, transport: RTPTransport = .tcp,
        limits: InputLimits = InputLimits(),
        until isEnough: @escaping (CollectingSink.Seen) -> Bool = { !$0.ends.isEmpty }
    ) throws -> CollectingSink {
        let address = try RTSPAddress("rtsp://127.0.0.1:\(camera.port)/live")
        let sink = CollectingSink()
        let source = InputSource.rtsp(address, credential: credential, transport: transport)
        let input = Input(name: "test", source: source, limits: limits, pool: SlabPool(), sink: sink)
        input.start()
        #expect(sink.wait(until: isEnough))
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.ends.count == 1 && sink.seen.framesAfterEnd == 0)
        return sink
    }

    @Test(
        "deliver each unit of the source once and in order, with decoding times, over the wrap of both counters",
        arguments: [0, 3])
    func exact(bFrames: Int) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let source = try RTSPInputTests.frames(maker, bFrames: bFrames)
        #expect(source.count == 50)
        var packetizer = Packetizer()
        let packets = source.flatMap { frame in
            let stamp = UInt32(truncatingIfNeeded: 0xFFFF_0000 + frame.pts)
            return packetizer.packets(CollectingSink.units(frame), stamp: stamp)
        }
        // A request of the camera and stray bytes among the packets must not disturb.
        let half = packets.count / 2
        let noise = Array("OPTIONS * RTSP/1.0\r\nCSeq: 7\r\n\r\n".utf8) + [0, 1, 2]
        let bytes =
            Packetizer.interleaved(Array(packets[..<half])) + noise + Packetizer.interleaved(Array(packets[half...]))
        let camera = try ScriptedCamera(RTSPInputTests.plain(bytes))
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        #expect(seen.ends == [.failed(.closed, detail: "the camera closed the connection")])
        #expect(seen.streams.map(\.ignored) == [nil])
        #expect(seen.repairs.isEmpty && seen.counts.lostPackets == 0 && seen.counts.frames == 50)
        #expect(CollectingSink.digests(seen.frames) == CollectingSink.digests(source))
        #expect(seen.frames.map(\.isKey) == source.map(\.isKey))
        let shift = seen.frames[0].pts - source[0].pts
        #expect(seen.frames.map(\.pts) == source.map { $0.pts + shift })
        #expect(seen.frames.map(\.dts) == source.map { $0.dts + shift })
        #expect(camera.requests.map(\.method).starts(with: ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"]))
        #expect(camera.requests[2].uri == "rtsp://127.0.0.1:\(camera.port)/live/track1")
        #expect(camera.requests[3].fields["session"] == "12345678")
    }

    @Test("with lost packets keep the frame and flag it")
    func loss() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let source = try RTSPInputTests.frames(maker, bFrames: 0)
        var packetizer = Packetizer()
        var packets = source.flatMap {
            packetizer.packets(CollectingSink.units($0), stamp: UInt32(truncatingIfNeeded: $0.pts))
        }
        // A piece from the middle of a unit: type 28, neither the first nor the last.
        let middle = packets.firstIndex { $0[12] & 0x1F == 28 && $0[13] & 0xC0 == 0 }
        packets.remove(at: try #require(middle))
        let camera = try ScriptedCamera(RTSPInputTests.plain(Packetizer.interleaved(packets)))
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        #expect(seen.counts.lostPackets == 1 && seen.counts.damaged == 1)
        #expect(seen.frames.count == 50 && seen.frames[0].isDamaged)
        #expect(CollectingSink.digests(seen.frames.dropFirst()) == CollectingSink.digests(source.dropFirst()))
    }

    @Test("over UDP are put in order again")
    func datagrams() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let source = try RTSPInputTests.frames(maker, bFrames: 0)
        var packetizer = Packetizer()
        var packets = source.flatMap {
            packetizer.packets(CollectingSink.units($0), stamp: UInt32(truncatingIfNeeded: $0.pts))
        }
        // Neighbours exchanged, and each packet of some twice.
        for index in stride(from: 3, to: packets.count - 1, by: 7) { packets.swapAt(index, index + 1) }
        packets = packets.enumerated().flatMap { $0 % 11 == 5 ? [$1, $1] : [$1] }
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        let clientPort = PortBox()
        let sent = packets
        let camera = try ScriptedCamera { request, peer in
            switch request.method {
            case "SETUP":
                let field = request.fields["transport"] ?? ""
                let port = field.components(separatedBy: "client_port=").last?.components(separatedBy: "-").first
                clientPort.set(port.flatMap { UInt16($0) } ?? 0)
                return .init(text: RTSPInputTests.ok("Session: 1\nTransport: \(field)\n"))
            case "PLAY":
                let target = peer.with(port: clientPort.value)
                Thread.detachNewThread {
                    for packet in sent {
                        _ = target.withPointer { sendto(socket, packet, packet.count, 0, $0, $1) }
                        // The sender's pace, not a wait: a camera does not send faster than a receive buffer can take.
                        usleep(200)
                    }
                }
                return .init(text: RTSPInputTests.ok())
            default: return RTSPInputTests.plain([])(request, peer)
            }
        }
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera, transport: .udp) { $0.frames.count >= 50 }.seen
        #expect(seen.counts.lostPackets == 0)
        #expect(CollectingSink.digests(seen.frames) == CollectingSink.digests(source))
    }

    @Test("get the login they ask for, and a wrong one is told apart", arguments: [true, false])
    func login(isDigest: Bool) throws {
        let challenge = isDigest ? "Digest realm=\"cam\", nonce=\"abc\", qop=\"auth\"" : "Basic realm=\"cam\""
        var expected = CameraLogin(
            credential: CameraCredential(user: "admin", password: "s3cret"), isSecure: true)
        _ = expected.challenged(["Basic realm=\"cam\""])
        let basic = expected.authorization(method: "", uri: "") ?? ""
        let camera = try ScriptedCamera { request, peer in
            let given = request.fields["authorization"] ?? ""
            let isRight = isDigest ? ScriptedDigest.isRight(given, request.method, request.uri) : given == basic
            if isRight { return RTSPInputTests.plain([], closes: false)(request, peer) }
            return .init(
                text:
                    "RTSP/1.0 401 \(given.isEmpty ? "Unauthorized" : "s3cret-bad \(given)")\nCSeq: CSEQ\nWWW-Authenticate: \(challenge)\n\n"
            )
        }
        defer { camera.stop() }
        func credential(_ password: String, allowsBasic: Bool = true) -> CameraCredential {
            CameraCredential(user: "admin", password: password, allowsBasic: allowsBasic)
        }
        let right = try RTSPInputTests.run(camera, credential: credential("s3cret")) { $0.dialedCount == 1 }
        #expect(right.seen.ends == [.stopped])
        // Each request is challenged at most once.
        #expect(camera.requests.filter { $0.method == "OPTIONS" }.count == 2)
        #expect(camera.requests.filter { $0.method == "DESCRIBE" }.count == 1)
        let wrong = try RTSPInputTests.run(camera, credential: credential("wrong"))
        #expect(wrong.seen.ends == [.failed(.unauthorized, detail: "the camera refuses the login")])
        let none = try RTSPInputTests.run(camera)
        #expect(
            none.seen.ends == [.failed(.unauthorized, detail: "the camera asks for a login and none is configured")])
        guard !isDigest else { return }
        let asked = camera.requests.count
        let heldBack = try RTSPInputTests.run(camera, credential: credential("s3cret", allowsBasic: false))
        guard case .failed(.unauthorized, let why)? = heldBack.seen.ends.first else {
            Issue.record("the password was sent in clear: \(heldBack.seen.ends)")
            return
        }
        #expect(why.contains("rtsps://") && why.contains("allowBasic: true"))
        let requests = camera.requests.dropFirst(asked)
        #expect(!requests.isEmpty && requests.allSatisfy { $0.fields["authorization"] == nil })
    }

    @Test("that fail are told apart by cause")
    func failures() throws {
        // Only what comes too late has a near bound: a busy machine may hold up what comes.
        func limits(_ failure: LinkFailure) -> InputLimits {
            var limits = InputLimits()
            // What is no RTSP is told at the bound.
            limits.dialMs = failure == .timeout ? 400 : 10_000
            limits.silenceMs = failure == .silence ? 400 : 60_000
            return limits
        }
        let answers: [(LinkFailure, @Sendable (ScriptedCamera.Request) -> ScriptedCamera.Answer?)] = [
            (.notFound, { _ in .init(text: "RTSP/1.0 404 Not Found\nCSeq: CSEQ\n\n") }),
            (.garbage, { _ in .init(text: "HTTP/1.1 400 Bad Request\n\n<html>", closes: true) }),
            (.garbage, { _ in .init(text: "SSH-2.0-OpenSSH_9.2\n") }),
            (.timeout, { _ in nil }),
            (.closed, { _ in .init(text: "", closes: true) }),
            (.closed, { _ in .init(text: "RTSP/1.0 503 Service Unavailable\nCSeq: CSEQ\n\n") }),
            (
                .unsupported,
                { _ in .init(text: RTSPInputTests.ok(body: "v=0\nm=video 0 RTP/AVP 26\na=rtpmap:26 JPEG/90000\n")) }
            ),
            (.unsupported, { _ in .init(text: RTSPInputTests.ok()) }),
            (.garbage, { _ in .init(text: "RTSP/1.0 200 OK\nCSeq: CSEQ\nContent-Length: 99999999\n\n") }),
        ]
        for (failure, answer) in answers {
            let camera = try ScriptedCamera { request, _ in answer(request) }
            defer { camera.stop() }
            let end = try RTSPInputTests.run(camera, limits: limits(failure)).seen.ends.first
            guard case .failed(let cause, let detail)? = end else {
                Issue.record("it must fail with \(failure)")
                continue
            }
            #expect(cause == failure, "\(detail)")
        }
        let silent = try ScriptedCamera(RTSPInputTests.plain([], closes: false))
        defer { silent.stop() }
        let end = try RTSPInputTests.run(silent, limits: limits(.silence)).seen
        #expect(end.ends == [.failed(.silence, detail: "no packet for 400 ms")] && end.dialedCount == 1)
        let gone = try ScriptedCamera { _, _ in nil }
        gone.stop()
        guard case .failed(.refused, _)? = try RTSPInputTests.run(gone).seen.ends.first else {
            Issue.record("nothing listens there")
            return
        }
    }

    @Test("what a camera says back is told without the password")
    func echo() throws {
        let camera = try ScriptedCamera { request, _ in
            .init(text: "RTSP/1.0 404 no hunter2 here\nCSeq: CSEQ\n\n")
        }
        defer { camera.stop() }
        let sink = try RTSPInputTests.run(camera, credential: CameraCredential(user: "u", password: "hunter2"))
        #expect(sink.seen.ends == [.failed(.notFound, detail: "DESCRIBE was answered 404 no *** here")])
    }

    @Test("what a camera says back is told without what its address hides", arguments: [false, true])
    func addressEcho(hasLogin: Bool) throws {
        let path = "/Geheim-Wort-77/live?channel=1&password=Wort-99"
        let camera = try ScriptedCamera { request, _ in
            .init(
                text:
                    "RTSP/1.0 404 no \(path) here, \(path.uppercased()), Geheim%2dWort-77, wort-99 of channel 1\nCSeq: CSEQ\n\n"
            )
        }
        defer { camera.stop() }
        let sink = CollectingSink()
        let login = hasLogin ? CameraCredential(user: "u", password: "hunter2") : nil
        let address = try RTSPAddress("rtsp://127.0.0.1:\(camera.port)\(path)")
        Input(name: "echo", source: .rtsp(address, credential: login), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(
            sink.seen.ends == [
                .failed(.notFound, detail: "DESCRIBE was answered 404 no *** here, ***, ***, *** of channel 1")
            ])
    }

    @Test("what a camera's description says is told without what its address hides")
    func describedEcho() throws {
        let camera = try ScriptedCamera { request, _ in
            request.method == "DESCRIBE"
                ? .init(text: RTSPInputTests.ok(body: "v=0\nm=video 0 RTP/AVP 96\na=rtpmap:96 Wort-99/90000\n"))
                : .init(text: RTSPInputTests.ok())
        }
        defer { camera.stop() }
        let sink = CollectingSink()
        let address = try RTSPAddress("rtsp://127.0.0.1:\(camera.port)/live?password=Wort-99")
        Input(name: "echo", source: .rtsp(address), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.ends == [.failed(.unsupported, detail: "the camera offers only ***")])
    }

    @Test("that do not answer are left at once when told to")
    func stop() throws {
        let camera = try ScriptedCamera { _, _ in nil }
        defer { camera.stop() }
        let sink = CollectingSink()
        let address = try RTSPAddress("rtsp://127.0.0.1:\(camera.port)/live")
        let input = Input(name: "stop", source: .rtsp(address), pool: SlabPool(), sink: sink)
        input.start()
        let deadline = DispatchTime.now() + 60
        while camera.requests.isEmpty, DispatchTime.now() < deadline { sched_yield() }
        let begin = DispatchTime.now()
        input.stop()
        #expect(sink.wait(seconds: 5) { !$0.ends.isEmpty })
        #expect(sink.seen.ends == [.stopped])
        #expect(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds < 1_000_000_000)
    }
}

/// Checks a digest answer the way a camera does (RFC 2617, 3.2.2), for user admin, password s3cret, realm cam.
private enum ScriptedDigest {
    static func isRight(_ field: String, _ method: String, _ uri: String) -> Bool {
        guard field.hasPrefix("Digest ") else { return false }
        let values = AuthenticationOffer.read(field).first?.parameters ?? [:]
        let first = md5("admin:cam:s3cret")
        let second = md5("\(method):\(uri)")
        let middle = [values["nonce"], values["nc"], values["cnonce"], values["qop"]].map { $0 ?? "" }.joined(
            separator: ":")
        return values["uri"] == uri && values["response"] == md5("\(first):\(middle):\(second)")
    }

    /// By the system's own tool, which shares no code with what is tested.
    private static func md5(_ text: String) -> String {
        guard let maker = try? MediaMaker() else { return "" }
        defer { maker.remove() }
        try? Data(text.utf8).write(to: URL(fileURLWithPath: maker.path("text")))
        let output = try? maker.run("md5sum", [maker.path("text")]).output
        return String(decoding: output?.prefix(32) ?? Data(), as: UTF8.self)
    }
}

private final class PortBox: @unchecked Sendable {
    // Guarded by `lock`.
    private var port: UInt16 = 0
    private let lock = NSLock()

    var value: UInt16 { lock.withLock { port } }
    func set(_ port: UInt16) { lock.withLock { self.port = port } }
}
