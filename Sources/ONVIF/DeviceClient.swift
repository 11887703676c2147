internal import AsyncHTTPClient
internal import Exchange
internal import Glibc
internal import Hashing
package import Media
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
package import XML

/// Asks one device: requests of SOAP 1.2 over HTTP or HTTPS, each over a connection of its own and bounded in time and bytes. A
/// login goes to the host of `address` alone, and never in clear unless the credential allows it (H9).
package actor DeviceClient {
    /// How long a device may take for one answer, in milliseconds.
    package static let timeoutMs: Int64 = 10_000
    /// What one answer may take at most, in bytes: itself, and its elements with 256 bytes each.
    package static let answerBytesMax = 2 * SOAPAnswer.bounds.bytes + 256 * SOAPAnswer.bounds.elements
    /// What may come over the connection of one exchange, in bytes: of an answer in small chunks up to half is none of its body.
    static let exchangeBytesMax = 2 * SOAPAnswer.bounds.bytes + (256 << 10)
    /// How often one operation is sent: without a login, with one, and once more where a challenge has become old.
    static let attemptsMax = 3

    /// Where the device's own service is.
    package nonisolated let address: ServiceAddress
    private let exchange: HTTPExchange
    private var login: DeviceLogin
    /// What the device says is told without its password.
    private let secrets: SecretFilter?
    /// When it answers nothing any more.
    private let deadline: ContinuousClock.Instant?

    /// How far the device's clock is ahead of this machine's, in milliseconds; nil until it has told, or where it tells no time.
    package private(set) var clockOffsetMs: Int64?
    /// Where the device says that its services are; nil until it has told.
    private var services: DeviceServices?

    /// A client of the device at `address`. It connects to nobody yet. `tls` is what is demanded of a certificate, also where the
    /// device has a service over HTTPS that is dialled over HTTP. `boundMs`: how long all answers may take from now on.
    package init(
        address: ServiceAddress, credential: CameraCredential? = nil, tls: TLSRules = TLSRules(),
        timeoutMs: Int64 = DeviceClient.timeoutMs, boundMs: Int64? = nil
    ) {
        self.address = address
        deadline = boundMs.map { .now + .milliseconds($0) }
        login = DeviceLogin(credential: credential, isSecure: address.isSecure)
        secrets = credential.map { SecretFilter(user: $0.user, password: $0.password) }
        var trust = TLSConfiguration.makeClientConfiguration()
        if let file = tls.authorityFile { trust.trustRoots = .file(file) }
        switch tls.verification {
        case .full: trust.certificateVerification = .fullVerification
        case .chain: trust.certificateVerification = .noHostnameVerification
        case .none: trust.certificateVerification = .none
        }
        exchange = HTTPExchange(timeoutMs: timeoutMs, tls: trust, bytesMax: Self.exchangeBytesMax)
    }

    private static func wallMs() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Ends its connections; afterwards it asks nobody.
    package func shutdown() async { await exchange.shutdown() }

    /// Reads the device's clock and where its services are. Whoever asks for anything else calls this first.
    package func connect() async throws(ONVIFError) {
        try await readClock()
        services = try await readServices()
    }

    /// Where a service is asked; nil where the device does not have it.
    package func place(of kind: DeviceServices.Kind) -> ServiceAddress? {
        if let named = services?.addresses[kind] { return address.service(named) }
        return kind == .device ? address : nil
    }

    /// Asks the device and gives what stands in the body of its answer. `point`: it is asked there and not at its service.
    /// `boundMs`: a shorter bound, for all exchanges that this takes.
    package func ask(
        _ operation: Operation, of point: PullPoint? = nil, within boundMs: Int64 = .max
    ) async throws(ONVIFError) -> XMLNode {
        guard let place = point?.address ?? place(of: operation.service) else {
            throw error(
                .unsupported, operation, "the device has no service \(operation.service.rawValue)",
                remedy: "a device of profile S or T has it; look for newer firmware")
        }
        let begin = ContinuousClock.now
        for attempt in 1...Self.attemptsMax {
            let leftMs = Self.left(of: boundMs, since: begin)
            let answer = try await send(operation, to: place, point, leftMs, isFirst: attempt == 1)
            switch try judge(answer, of: operation, isFirst: attempt == 1) {
            case .response(let node): return node
            case .again: continue
            case .againByItsClock:
                if operation != Self.clock { try await readClock(within: Self.left(of: boundMs, since: begin)) }
            }
        }
        throw refusal(.wrong, operation)
    }

    private static let clock = Operation("GetSystemDateAndTime", of: .device)

    /// What is left of a bound that holds since `begin`, in milliseconds, at least 1.
    static func left(of boundMs: Int64, since begin: ContinuousClock.Instant) -> Int64 {
        let spent = begin.duration(to: .now).components
        return max(boundMs - spent.seconds * 1_000 - spent.attoseconds / 1_000_000_000_000_000, 1)
    }

    private func readClock(within boundMs: Int64 = .max) async throws(ONVIFError) {
        let before = Self.wallMs()
        let response = try await ask(Self.clock, within: boundMs)
        // What is told was true at some time between; its seconds are cut off, so half of one is added.
        let middle = before + (Self.wallMs() - before) / 2
        clockOffsetMs = DeviceTime(response).map { $0.seconds * 1_000 + 500 - middle }
    }

    private func readServices() async throws(ONVIFError) -> DeviceServices {
        do {
            let operation = Operation(
                "GetServices", of: .device, content: "<t:IncludeCapability>false</t:IncludeCapability>")
            let services = DeviceServices(try await ask(operation))
            if !services.addresses.isEmpty { return services }
        } catch  where error.kind == .unauthorized || error.kind == .unreachable {
            throw error
        } catch {
            // Devices from before 2012 do not have it.
        }
        return DeviceServices(
            try await ask(Operation("GetCapabilities", of: .device, content: "<t:Category>All</t:Category>")))
    }

    // MARK: One exchange

    private struct Answer: Sendable {
        let status: UInt
        let kind: String
        let challenges: [String]
        /// Nil where it was longer than is taken.
        let body: [UInt8]?
    }

    private enum Verdict {
        case response(XMLNode)
        case again
        case againByItsClock
    }

    private func send(
        _ operation: Operation, to place: ServiceAddress, _ point: PullPoint?, _ boundMs: Int64, isFirst: Bool
    ) async throws(ONVIFError) -> Answer {
        let now = DeviceTime(clamping: (Self.wallMs() + (clockOffsetMs ?? 0)) / 1_000)
        var request = HTTPClientRequest(url: place.description)
        request.method = .POST
        request.headers.add(
            name: "Content-Type", value: "application/soap+xml; charset=utf-8; action=\"\(operation.action)\"")
        request.headers.add(name: "User-Agent", value: "vigil")
        if let field = login.authorization(method: "POST", uri: place.path) {
            request.headers.add(name: "Authorization", value: field)
        }
        var boundMs = boundMs
        if let deadline {
            let left = ContinuousClock.now.duration(to: deadline).components
            boundMs = min(boundMs, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000)
            guard boundMs > 0 else {
                throw error(
                    .unreachable, operation, "the device has answered too slowly, and is asked no more",
                    remedy: "look at the network between, and at what else asks the device")
            }
        }
        // The clock is told without a login (ONVIF Core, 8.3.5.6), and a token of a wrong time would be refused.
        let token = operation == Self.clock && isFirst ? nil : login.token(at: now)
        let header = (point.map { $0.header(for: operation) } ?? "") + (token?.element ?? "")
        request.body = .bytes(ByteBuffer(string: operation.envelope(header: header)))
        let result = await exchange.answer(to: request, within: boundMs) { response in
            var body: [UInt8]?
            do {
                body = Array(buffer: try await response.body.collect(upTo: SOAPAnswer.bounds.bytes))
            } catch is NIOTooManyBytesError {
                body = nil
            }
            return Answer(
                status: response.status.code, kind: response.headers.first(name: "Content-Type") ?? "",
                challenges: response.headers["WWW-Authenticate"], body: body)
        }
        switch result {
        case .success(let answer): return answer
        case .failure(let why) where why == .endless(Self.exchangeBytesMax) || why == .foreign:
            throw error(.foreign, operation, why.words("the device"), remedy: "look for newer firmware")
        case .failure(let why):
            throw error(
                .unreachable, operation, why.words("the device"),
                remedy: "check address and port, that ONVIF is switched on in the device, and the network between")
        }
    }

    private func judge(_ answer: Answer, of operation: Operation, isFirst: Bool) throws(ONVIFError) -> Verdict {
        if answer.status == 401 {
            return try refused(answer.challenges, operation, isFirst: isFirst)
        }
        if (300..<400).contains(answer.status) {
            throw error(
                .foreign, operation,
                "the device leads to another address (status \(answer.status)), which is not followed",
                remedy: "give the address that it uses itself, often one with https://")
        }
        guard let body = answer.body else {
            throw error(
                .foreign, operation, "the answer is longer than \(SOAPAnswer.bounds.bytes) bytes",
                remedy: "look for newer firmware")
        }
        let read: SOAPAnswer
        do { read = try SOAPAnswer(body) } catch let defect {
            let what = answer.kind.line(max: 60).map { "\"\($0)\"" } ?? "no type"
            throw error(
                .foreign, operation, "the answer is none of SOAP (status \(answer.status), \(what)): \(defect.what)",
                remedy: "check that port and path are those of ONVIF, and that it is switched on in the device")
        }
        switch read {
        case .response(let node): return .response(node)
        case .fault(let fault) where fault.isUnauthorized: return try refused([], operation, isFirst: isFirst)
        case .fault(let fault):
            throw error(
                fault.isUnsupported ? .unsupported : .refused, operation, "the device refuses (\(fault.words))",
                remedy: "look in the device's manual for what it takes")
        }
    }

    private func refused(_ challenges: [String], _ operation: Operation, isFirst: Bool) throws(ONVIFError) -> Verdict {
        let step = login.refused(challenges: challenges, isFirst: isFirst)
        switch step {
        case .again: return .again
        case .againByItsClock: return .againByItsClock
        case .missing, .wrong, .heldBack: throw refusal(step, operation)
        }
    }

    private func refusal(_ step: DeviceLogin.Step, _ operation: Operation) -> ONVIFError {
        switch step {
        case .missing:
            error(
                .unauthorized, operation, "the device asks for a login and none is given", remedy: "name a credential")
        case .heldBack:
            error(
                .unauthorized, operation,
                "the device takes the password only in clear (basic login), and it was not sent",
                remedy: "switch digest login on in the device, use https://, or allow basic")
        case .again, .againByItsClock, .wrong:
            error(
                .unauthorized, operation, "the device refuses the login",
                remedy: "check user and password; many devices have users of ONVIF apart from those of their page"
                    + (clockOffsetMs == nil ? "; the device tells no time, so this machine's clock was used" : ""))
        }
    }

    private func error(_ kind: ONVIFError.Kind, _ operation: Operation, _ cause: String, remedy: String) -> ONVIFError {
        ONVIFError(kind, operation.name, of: address.authority, secrets?.clean(cause) ?? cause, remedy: remedy)
    }
}
