internal import Foundation
internal import Hummingbird
internal import HummingbirdTesting
internal import MemorySite
internal import Testing

@testable import Server

@Suite("Metrics")
struct MetricTests {
    @Test("metrics are written in Prometheus' text format: escaped, whole numbers whole, none without a sample")
    func text() {
        var odd = Metric(.gauge, "vigil_odd", "What is odd\\ and\nlong.")
        odd.add(.infinity, ("a", "\"\\\n"), ("b", ""))
        odd.add(-1.5)
        odd.add(1e15)
        odd.add(.nan)
        odd.add("two", of: ["one", "two"], as: "state", ("camera", "front"))
        #expect(
            Metric.text(of: [odd, Metric(.counter, "vigil_none_total", "Nothing.")]) == #"""
                # HELP vigil_odd What is odd\\ and\nlong.
                # TYPE vigil_odd gauge
                vigil_odd{a="\"\\\n",b=""} +Inf
                vigil_odd -1.5
                vigil_odd 1000000000000000
                vigil_odd NaN
                vigil_odd{camera="front",state="one"} 0
                vigil_odd{camera="front",state="two"} 1

                """#)
    }

    @Test("they are told with the type that Prometheus asks for, to who has the right on every camera")
    func route() async throws {
        let gate = Gate(daemonUser: 0, group: nil) { _ in LocalPeer(caller: Caller(uid: 0, gid: 0, pid: 1), groups: [])
        }
        try await Application(router: API.router(site: MemorySite(), gate: gate)).test(.router) { client in
            let response = try await client.execute(uri: "/metrics", method: .get)
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(
                String(buffer: response.body).contains(#"vigil_storage_clips{camera="fr\"o\\n\nt",class="event"} 5"#))
        }
    }
}
