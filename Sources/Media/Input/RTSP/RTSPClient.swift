import Machines

/// Makes RTSP requests and waits for their answers: login, session, and what comes in between (RFC 2326).
final class RTSPClient {
    let connection: RTSPConnection
    private let stop: StopSignal
    /// How the camera is logged in to; it knows the last challenge.
    private(set) var login: CameraLogin?
    /// Whether the camera has asked for a login that it has neither accepted nor refused.
    private(set) var isChallenged = false
    private(set) var keepAlive = KeepAlive()
    /// What the camera calls itself.
    private(set) var server: String?
    /// What it did otherwise on this connection.
    private(set) var quirks: Set<CameraQuirk> = []
    private var sequence = 0
    private(set) var session: String?
    /// After how many milliseconds the camera forgets a silent session.
    private(set) var sessionMs: Int64 = 60_000
    private var keepAliveAddress = ""
    /// Packets that came before the answer to PLAY.
    private(set) var earlyPackets: [(channel: UInt8, bytes: [UInt8])] = []
    private var earlyBytes = 0
    private static let earlyPacketsMax = 512
    private static let earlyBytesMax = 4 << 20

    /// `login` may know a challenge of another connection.
    init(connection: RTSPConnection, login: CameraLogin?, stop: StopSignal) {
        self.connection = connection
        self.stop = stop
        self.login = login
    }

    /// Connects to a camera, by TLS where its address says so.
    static func connect(
        _ camera: RTSPAddress, tls: TLSRules, login: CameraLogin?, limits: InputLimits, bounds: LoopBounds,
        stop: StopSignal, deadline: Int64
    ) throws(InputFault) -> RTSPClient {
        let transport: any ByteTransport =
            camera.isSecure
            ? try TLSTransport.connect(
                host: camera.host, port: camera.port, rules: tls, deadline: deadline, stop: stop)
            : try TCPTransport.connect(host: camera.host, port: camera.port, deadline: deadline, stop: stop)
        let connection = RTSPConnection(transport: transport, answerBytesMax: limits.answerBytesMax, bounds: bounds)
        return RTSPClient(connection: connection, login: login, stop: stop)
    }

    func takeEarlyPackets() -> [(channel: UInt8, bytes: [UInt8])] {
        defer {
            earlyPackets = []
            earlyBytes = 0
        }
        return earlyPackets
    }

    /// Makes a request and gives the answer to it, whatever its status but 401, which is answered with the credential once.
    func answer(
        _ method: String, _ uri: String, _ fields: [(String, String)] = [], deadline: Int64
    ) throws(InputFault) -> RTSPMessage {
        var attempts = 0
        while true {
            try send(method, uri, fields, deadline: deadline)
            let answer = try reply(to: sequence, deadline: deadline)
            note(answer)
            if let status = answer.status, RTSPClient.isFull(status, to: method) { quirks.insert(.noSessionLeft) }
            guard answer.status == 401 else {
                isChallenged = false
                return answer
            }
            let challenges = answer.all("www-authenticate")
            // A second refusal is final, except that a nonce may have gone stale.
            let isStale = challenges.contains { $0.lowercased().contains("stale=true") }
            guard attempts == 0 || isStale && attempts < 3, login?.challenged(challenges) == true else {
                isChallenged = false
                throw .failed(.unauthorized, whyNoLogin)
            }
            attempts += 1
            isChallenged = true
        }
    }

    private var whyNoLogin: String {
        guard let login else { return "the camera asks for a login and none is configured" }
        guard login.isHeldBack else { return "the camera refuses the login" }
        return
            "the camera takes the password only in clear (basic login), and it was not sent: switch digest login on in the "
            + "camera, use rtsps://, or set allowBasic: true for this camera"
    }

    /// Makes a request whose answer must be a success.
    func success(
        _ method: String, _ uri: String, _ fields: [(String, String)] = [], deadline: Int64
    ) throws(InputFault) -> RTSPMessage {
        let answer = try answer(method, uri, fields, deadline: deadline)
        if let fault = RTSPClient.fault(answer, to: method) { throw fault }
        return answer
    }

    /// What an answer that is no success means for the link; nil for a success.
    static func fault(_ answer: RTSPMessage, to method: String) -> InputFault? {
        guard let status = answer.status, !(200...299).contains(status) else { return nil }
        let isFull = isFull(status, to: method)
        let hint = isFull ? ": it has no session left, end one of those who watch it" : ""
        return .failed(
            isFull ? .busy : failure(status),
            "\(method) was answered \(status) \(printable(answer.phrase))\(hint)")
    }

    /// Whether a status says that the camera has no session left: not enough bandwidth, or unavailable where one would begin.
    private static func isFull(_ status: Int, to method: String) -> Bool {
        status == 453 || status == 503 && (method == "SETUP" || method == "PLAY")
    }

    /// The stream has begun: from now on the camera is told now and then that somebody listens.
    func beginKeepAlive(_ uri: String, at nowMs: Int64, sendsUnlistedGet: Bool) {
        keepAliveAddress = uri
        keepAlive.begin(at: nowMs, sessionMs: sessionMs, sendsUnlistedGet: sendsUnlistedGet)
    }

    /// Tells the camera that somebody still listens. The answer comes among the packets.
    func sendKeepAlive(at nowMs: Int64, deadline: Int64) throws(InputFault) {
        guard let method = keepAlive.next(at: nowMs, sessionMs: sessionMs) else { return }
        try send(method.rawValue, keepAliveAddress, [], deadline: deadline)
        keepAlive.sent(sequence)
    }

    /// Says good-bye, if it can be said at once.
    func teardown(_ uri: String) {
        guard session != nil else { return }
        try? send("TEARDOWN", uri, [], deadline: BootClock.nowMs() + 100)
    }

    /// A message that came among the packets: the camera's own requests are granted, a keep-alive that is refused is repeated
    /// with a fresh challenge or followed by another one. An answer to nothing is passed over.
    func take(_ message: RTSPMessage, deadline: Int64) throws(InputFault) {
        guard let status = message.status else {
            let number = RTSPClient.printable(message.first("cseq") ?? "0")
            try connection.transport.write(Array("RTSP/1.0 200 OK\r\nCSeq: \(number)\r\n\r\n".utf8), deadline: deadline)
            return
        }
        guard keepAlive.isAnswered(by: message.first("cseq")?.leadingNumber()) else { return }
        if (200...299).contains(status) {
            note(message)
            keepAlive.accept(sessionMs: sessionMs)
            return
        }
        if status == 401, keepAlive.repeats(), login?.challenged(message.all("www-authenticate")) == true,
            let method = keepAlive.method
        {
            try send(method.rawValue, keepAliveAddress, [], deadline: deadline)
            keepAlive.sent(sequence)
            return
        }
        quirks.insert(.refusedKeepAlive)
        let isLeft = keepAlive.refuse(at: BootClock.nowMs())
        if status == 454, !isLeft { throw .failed(.closed, "the camera has forgotten the session") }
    }

    private func send(
        _ method: String, _ uri: String, _ fields: [(String, String)], deadline: Int64
    ) throws(InputFault) {
        sequence += 1
        var text = "\(method) \(uri) RTSP/1.0\r\nCSeq: \(sequence)\r\nUser-Agent: Vigil\r\n"
        if let session { text += "Session: \(session)\r\n" }
        if let authorization = login?.authorization(method: method, uri: uri) {
            text += "Authorization: \(authorization)\r\n"
        }
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        try connection.transport.write(Latin1.bytes(text + "\r\n"), deadline: deadline)
    }

    private func reply(to number: Int, deadline: Int64) throws(InputFault) -> RTSPMessage {
        while true {
            switch try connection.next() {
            case .message(let message):
                guard message.status != nil else {
                    try take(message, deadline: deadline)
                    continue
                }
                // Only one request waits for an answer, so this is it: some cameras leave the number out, say 0, or
                // repeat an earlier one. A number that was never used answers nothing.
                let said: Int? = message.first("cseq")?.leadingNumber()
                if let said, said > number { continue }
                if said != number { quirks.insert(.otherNumbers) }
                return message
            case .packet(let channel, let bytes):
                quirks.insert(.earlyPackets)
                guard earlyPackets.count < RTSPClient.earlyPacketsMax,
                    earlyBytes + bytes.count <= RTSPClient.earlyBytesMax
                else { continue }
                earlyPackets.append((channel, [UInt8](bytes)))
                earlyBytes += bytes.count
            case nil:
                // What comes without end is no answer either.
                guard try connection.fill(deadline: deadline), BootClock.nowMs() < deadline else {
                    if stop.isRaised { throw .stopped }
                    throw .failed(.timeout, "no answer to a request")
                }
            }
        }
    }

    private func note(_ answer: RTSPMessage) {
        if let name = answer.first("server") { server = RTSPClient.printable(name) }
        if let methods = answer.first("public") { keepAlive.list(methods) }
        guard let field = answer.first("session") else { return }
        let parts = field.split(separator: ";").map { $0.trimmingBlanks }
        // The first number counts: some cameras name another one for each track.
        if session == nil, let name = parts.first, !name.isEmpty { session = name }
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks }
            guard halves.count == 2, halves[0].lowercased() == "timeout",
                let seconds: Int64 = halves[1].leadingNumber(),
                seconds > 0
            else { continue }
            sessionMs = min(3600, seconds) * 1000
        }
    }

    /// What a status means for the link.
    static func failure(_ status: Int) -> LinkFailure {
        switch status {
        case 401, 403, 407: .unauthorized
        // Moved elsewhere is not followed: the credential is meant for this address.
        case 300...399, 404, 410: .notFound
        case 406, 415, 461, 551: .unsupported
        case 408, 504: .timeout
        // The camera is broken: unavailable, internal error.
        case 500...599: .closed
        default: .garbage
        }
    }

    /// Foreign text fit for a report: printable ASCII. Of what is longer than `most` characters the length is told alone: it may hold
    /// a secret (`SecretFilter`), of which a part is not found where the text is cut.
    static func printable(_ text: String, most: Int = 200) -> String {
        let letters = text.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }
        return letters.count <= most ? String(String.UnicodeScalarView(letters)) : "(\(letters.count) characters)"
    }
}
