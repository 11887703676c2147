import Synchronization
import Testing

@testable import ONVIF

/// Devices whose answers never end, and such that answer nothing any more.
@Suite("Endless answers of a device", .serialized)
struct EndlessAnswerTests {
    private static let chunked =
        "HTTP/1.1 200 OK\r\nContent-Type: application/soap+xml\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let answers: [(String, String)] = [
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        (chunked + "1;", "a=aaaaaaaaaaaaaaaa;"),
        (chunked, "1;\(String(repeating: "a", count: 1_000))\r\nx\r\n"),
        (chunked + "0\r\n", "A: b\r\n"),
    ]

    @Test("are left when more has come than any answer has, and told as that", arguments: 0..<answers.count)
    func bounded(number: Int) async throws {
        let (begin, part) = Self.answers[number]
        let device = try ScriptedDevice { _, _ in .endless(begin, part) }
        let address = try #require(ServiceAddress("http://127.0.0.1:\(device.port)/onvif/device_service"))
        // Longer than a machine takes that is busy with other tests.
        let client = DeviceClient(address: address, timeoutMs: 600_000)
        do throws(ONVIFError) {
            try await client.connect()
            Issue.record("there is no answer")
        } catch {
            // Trailers without end the HTTP library refuses by itself.
            let isMetered = error.kind == .foreign && error.cause.contains("sends more than")
            #expect(isMetered || number == 3 && error.kind == .unreachable, "\(error)")
            #expect(!error.cause.contains("within"), "\(error)")
        }
        await client.shutdown()
        // What lies in the sockets of both sides comes on top.
        #expect(device.bytesSent < 24 << 20)
    }

    @Test("An answer whose status is none is told as foreign (H1)", arguments: ["000", "001", "099"])
    func status(status: String) async throws {
        let device = try ScriptedDevice { _, _ in .head("HTTP/1.1 \(status) Hm\r\nContent-Length: 0\r\n\r\n") }
        let address = try #require(ServiceAddress("http://127.0.0.1:\(device.port)/d"))
        let client = DeviceClient(address: address)
        let error = await #expect(throws: ONVIFError.self) { try await client.connect() }
        await client.shutdown()
        #expect(error?.kind == .foreign && error?.cause.contains("by HTTP") == true, "\(String(describing: error))")
    }

    @Test("A device that answers no pull is asked less and less often, however long it is waited for each")
    func unanswered() async throws {
        let device = try ScriptedDevice { operation, port in
            switch operation {
            case "GetServices":
                let services = [("device", "/d"), ("events", "/e")].map { name, path in
                    """
                    <Service><Namespace>http://www.onvif.org/ver10/\(name)/wsdl</Namespace>\
                    <XAddr>http://127.0.0.1:\(port)\(path)</XAddr></Service>
                    """
                }
                return .body("<GetServicesResponse>\(services.joined())</GetServicesResponse>")
            case "CreatePullPointSubscription":
                return .body(
                    """
                    <CreatePullPointSubscriptionResponse><SubscriptionReference><Address>http://127.0.0.1:\(port)/p</Address>\
                    </SubscriptionReference></CreatePullPointSubscriptionResponse>
                    """)
            case "PullMessages": return .silence
            default: return .body("<\(operation)Response/>")
            }
        }
        let address = try #require(ServiceAddress("http://127.0.0.1:\(device.port)/d"))
        var events = DeviceEvents(address: address, credential: nil)
        events.answerMs = 300
        events.heldMs = 200
        let following = events
        let (waits, tell) = AsyncStream.makeStream(of: Int64.self)
        let task = Task {
            await following.run { told in
                if case .lost(_, let againMs) = told { tell.yield(againMs) }
            }
        }
        var seen: [Int64] = []
        for await wait in waits {
            seen.append(wait)
            if seen.count == 2 { break }
        }
        task.cancel()
        await task.value
        #expect(seen == [1_000, 2_000])
    }
}
