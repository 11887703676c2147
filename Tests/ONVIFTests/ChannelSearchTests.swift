import Testing

@testable import ONVIF

@Suite("Looking for the channels of cameras")
struct ChannelSearchTests {
    /// What a device answers when it is asked for a stream.
    private enum Answer {
        case stream(String)
        case none
        case late
    }

    /// The search on a device with one profile for each of these answers, of the channel that is named.
    private func search(
        _ streams: [(source: String, answer: Answer)], _ cameras: [String: [String]], encoding: String = "H264"
    ) throws -> ChannelSearch {
        var all: [(token: String, source: String?, configuration: String, encoding: String)] = []
        for (index, one) in streams.enumerated() {
            all.append(
                (token: "p\(index)", source: one.source, configuration: "c-\(one.source)", encoding: encoding))
        }
        var search = ChannelSearch(try ChannelTests().profiles(all), for: cameras, of: "cam")
        for (index, one) in streams.enumerated() {
            guard let next = search.next else { break }
            #expect(next.token == "p\(index)")
            switch one.answer {
            case .stream(let address): search.take(address)
            case .none: search.take(nil)
            case .late: search.miss()
            }
        }
        return search
    }

    /// The channel of each camera, or what kind of trouble there is and why.
    private func found(
        _ streams: [(source: String, answer: Answer)], _ cameras: [String: [String]], encoding: String = "H264"
    ) throws -> [String: String] {
        try search(streams, cameras, encoding: encoding).result.mapValues { result in
            switch result {
            case .success(let channel): channel.source ?? "only"
            case .failure(let error): "\(error.kind): \(error.cause)"
            }
        }
    }

    @Test("A place is path and port, whatever the host, its login and the way in which the port is said")
    func place() {
        #expect(StreamPlace("rtsp://a/s?x=1") == StreamPlace("rtsp://u:p@[::1]:554/s?x=1"))
        #expect(StreamPlace("RTSPS://a/s") == StreamPlace("rtsp://b:322/s"))
        #expect(StreamPlace("rtsp://a/s") != StreamPlace("rtsp://a:8554/s"))
        #expect(StreamPlace("rtsp://a?x") != StreamPlace("rtsp://a?y"))
        #expect(StreamPlace("push").port == nil && StreamPlace("push").path == "push")
    }

    @Test("A camera is of the channel that has the path of its stream; the port alone makes no other one")
    func paths() throws {
        let streams: [(source: String, answer: Answer)] = [
            ("1", .stream("rtsp://cam/a")), ("2", .stream("rtsp://cam/b")), ("2", .none),
        ]
        let all = try found(
            streams,
            ["a": ["rtsp://10.0.0.1/a"], "b": ["rtsp://nat:8554/b", "rtsp://nat:8554/c"], "c": ["rtsp://cam/c"]])
        #expect(all["a"] == "1" && all["b"] == "2")
        #expect(all["c"] == "unsupported: none of the 2 channels of the device has the stream of this camera")
    }

    @Test("Where several channels have one path the port tells them apart, and where it does not nothing is guessed")
    func ports() throws {
        let streams: [(source: String, answer: Answer)] = [
            ("1", .stream("rtsp://cam:8001/s")), ("2", .stream("rtsp://cam:8002/s")),
            ("3", .stream("rtsp://cam:8003/s")), ("4", .stream("rtsp://cam:8003/s")),
        ]
        let all = try found(
            streams,
            [
                "one": ["rtsp://cam:8001/s"], "two": ["rtsp://cam:8002/s"], "both": ["rtsp://cam:8003/s"],
                "other": ["rtsp://cam:9000/s"],
            ])
        #expect(all["one"] == "1" && all["two"] == "2")
        let ambiguous = "unsupported: several channels of the device have the stream of this camera"
        #expect(all["both"] == ambiguous && all["other"] == ambiguous)
    }

    @Test("A camera whose streams are of two channels is of neither")
    func mixed() throws {
        let streams: [(source: String, answer: Answer)] = [
            ("1", .stream("rtsp://cam/a")), ("2", .stream("rtsp://cam/b")),
        ]
        let all = try found(streams, ["x": ["rtsp://cam/a", "rtsp://cam/b"]])
        #expect(all["x"] == "unsupported: several channels of the device have the stream of this camera")
    }

    private func notKnown(_ count: Int, of all: Int) -> String {
        "of the \(all) streams of the device \(count) are not known: they were not asked for, or not told in time"
    }

    @Test("A stream that is not answered costs the others nothing, and what may be it is not known yet")
    func late() throws {
        let streams: [(source: String, answer: Answer)] = [
            ("1", .late), ("2", .stream("rtsp://cam/b")), ("3", .stream("rtsp://cam/c")),
        ]
        let all = try found(
            streams, ["a": ["rtsp://cam/a"], "b": ["rtsp://cam/b"], "c": ["rtsp://nat:8554/c"]])
        #expect(all["b"] == "2")
        let cause = "unreachable: " + notKnown(1, of: 3)
        // The first channel may have the path of the third one, and the port of this camera.
        #expect(all["a"] == cause && all["c"] == cause)
        #expect(try search(streams, ["a": ["rtsp://cam/a"], "b": []]).isAnswered)
        #expect(try !search([("1", .late), ("2", .late)], ["a": ["rtsp://cam/a"]]).isAnswered)
    }

    @Test("A search that did not come to its end, by time or by the bound, says so")
    func cutOff() throws {
        let profiles = ChannelSearch.streamsMax + 2
        var streams: [(source: String, answer: Answer)] = []
        for index in 0..<profiles { streams.append((source: "\(index)", answer: .stream("rtsp://cam/\(index)"))) }
        let all = try found(streams, ["first": ["rtsp://cam/0"], "last": ["rtsp://cam/\(profiles - 1)"]])
        #expect(all["first"] == "0")
        #expect(all["last"] == "unreachable: " + notKnown(2, of: profiles))
    }

    @Test("Several cameras of one channel have its streams each; what tells no stream for Vigil has no channel")
    func one() throws {
        let streams: [(source: String, answer: Answer)] = [
            ("s", .stream("rtsp://cam/a")), ("s", .stream("rtsp://cam/b")),
        ]
        #expect(try search(streams, ["a": ["rtsp://else/else"]]).next == nil, "one camera is asked for no stream")
        #expect(try found(streams, ["a": ["rtsp://else/else"]]) == ["a": "only"])
        #expect(
            try found(streams, ["a": ["rtsp://cam/a"], "b": ["rtsp://cam/b"], "c": ["rtsp://cam/c"]])
                == [
                    "a": "only", "b": "only",
                    "c": "unsupported: the one channel of the device has another stream than this camera",
                ])
        let none = "unsupported: no channel of the device has a picture in H.264 or H.265"
        #expect(try found([("1", .none), ("2", .none)], ["a": ["rtsp://cam/a"]], encoding: "JPEG") == ["a": none])
        #expect(
            try found([("1", .none)], ["a": ["rtsp://cam/a"], "b": []], encoding: "JPEG") == ["a": none, "b": none])
        #expect(ChannelSearch([], for: [:], of: "cam").channels.isEmpty)
    }
}
