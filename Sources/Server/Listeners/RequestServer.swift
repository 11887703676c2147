internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import Machines
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// Answers requests at an address, as Hummingbird's `Application` does. That one also formats the date anew each second, whether or not
/// anybody asks, which keeps Foundation's calendar in an idle daemon's memory; here an answer has the date of its own moment.
struct RequestServer<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    /// The answer broke off where what the client sent could not be read.
    private struct BrokenOff: Error {}

    let responder: Responder
    let builder: HTTPServerBuilder
    let configuration: ServerConfiguration
    let logger: Logger
    /// Called once when callers can connect.
    let onListening: @Sendable (any Channel) async -> Void

    /// Listens until graceful shutdown, or throws why it cannot.
    func run() async throws {
        let server = try builder.buildServer(
            configuration: configuration, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
            responder: { request, writer, channel in try await answer(request, writer, channel) },
            onServerRunning: onListening)
        try await ServiceGroup(configuration: .init(services: [server], logger: logger)).run()
    }

    private func answer(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let context = Responder.Context(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        var response: Response
        do {
            response = try await responder.respond(to: request, context: context)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            logger.debug("A request ended by an error", metadata: ["error": "\(error)"])
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = CivilTime(epochMs: Self.nowMs()).httpDate
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // Thrown on, it would be answered once more.
            throw BrokenOff()
        }
    }

    /// The wall clock in milliseconds since 1970.
    private static func nowMs() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }
}

extension CivilTime {
    /// `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110, 5.6.7).
    var httpDate: String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // 1 January 1970 was a Thursday. Remainders of days before it are negative.
        let day = days[Int((date.daysSince1970 % 7 + 7) % 7)]
        let month = months[Int(date.month - 1)]
        let time = clock.joined(separator: ":")
        return "\(day), \(date.day.padded(to: 2)) \(month) \(date.year.padded(to: 4)) \(time) GMT"
    }
}
