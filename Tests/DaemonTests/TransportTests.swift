import Foundation
import Testing

/// Matter's tests of Push AV Stream Transport (PAVST), each on the whole daemon, by the built program.
@Suite(
    "Transports, as Matter tests them", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "needs curl"))
struct TransportTests {
    @Test(
        "PAVST-2.1, 2.2, 2.5 and 2.8: formats and statuses are known ones; what is allocated is found, and gone when deallocated"
    )
    func found() async throws {
        let rig = try await TransportRig.start()
        defer { rig.daemon.discard() }
        let formats = try rig.ask("GET", "/capabilities").object["supportedFormats"] as? [[String: String]]
        #expect(formats == [["containerFormat": "cmaf", "ingestMethod": "cmafIngest"]])
        #expect(try rig.all().map { $0["connectionID"] as? Int } == [0])
        let number = try rig.allocate()
        let found = try rig.all()
        #expect(found.map { $0["connectionID"] as? Int } == [0, number])
        #expect(found.allSatisfy { ["active", "inactive"].contains($0["transportStatus"] as? String) })
        #expect((found.last?["transportOptions"] as? [String: Any])?["streamUsage"] as? String == "recording")
        #expect(try rig.ask("GET", "/\(number)").transportStatus == "inactive")
        for (method, path, camera) in [
            ("GET", "/\(number + 1)", "front"), ("GET", "/\(number)", "back"), ("DELETE", "/\(number + 1)", "front"),
            ("DELETE", "/\(number)", "back"),
        ] {
            let answer = try rig.ask(method, path, camera: camera)
            #expect(answer.status == 404 && answer.matter == "NOT_FOUND", "\(method) \(path) \(camera): \(answer)")
        }
        #expect(try rig.ask("DELETE", "/\(number)").status == 200)
        #expect(try rig.all().map { $0["connectionID"] as? Int } == [0])
        #expect(try rig.ask("DELETE", "/0").matter == "INVALID_IN_STATE")
        #expect(rig.daemon.end() == 0)
    }

    /// Each with Matter's name for it; nil: it is taken.
    private static func cases(_ rig: TransportRig) -> [(String, [String: Any], String?)] {
        func trigger(_ change: (inout [String: Any]) -> Void) -> [String: Any] {
            rig.options { $0["triggerOptions"] = TransportRig.motion(change) }
        }
        func control(_ key: String, _ value: Int) -> [String: Any] {
            trigger { options in
                var control = options["motionTimeControl"] as? [String: Any] ?? [:]
                control[key] = value
                options["motionTimeControl"] = control
            }
        }
        func zones(_ zones: [[String: Any]]) -> [String: Any] { trigger { $0["motionZones"] = zones } }
        let gate: [String: Any] = ["zone": "gate"]
        return [
            ("as it should be", rig.options(), nil),
            ("TLS endpoint", rig.options { $0["tlsEndpointID"] = 7 }, "InvalidTLSEndpoint"),
            ("ingest method", rig.options { $0["ingestMethod"] = "rtmp" }, "CONSTRAINT_ERROR"),
            ("trigger type", trigger { $0["triggerType"] = "wind" }, "CONSTRAINT_ERROR"),
            ("null zone", zones([["zone": NSNull()]]), nil), ("empty zones", zones([]), nil),
            ("null zones", trigger { $0["motionZones"] = NSNull() }, nil),
            (
                "null zones and sensitivity",
                trigger { ($0["motionZones"], $0["motionSensitivity"]) = (NSNull(), NSNull()) }, nil
            ),
            (
                "null zones of command",
                rig.options {
                    $0["triggerOptions"] = [
                        "triggerType": "command", "maxPreRollLen": 0, "motionZones": NSNull(),
                        "motionSensitivity": NSNull(), "motionTimeControl": NSNull(),
                    ]
                }, nil
            ),
            ("zone", zones([gate]), nil),
            ("zone twice", zones([gate, gate]), "ALREADY_EXISTS"),
            ("null twice", zones([["zone": NSNull()], ["zone": NSNull()]]), "ALREADY_EXISTS"),
            ("unknown zone", zones([["zone": "moon"]]), "InvalidZone"),
            ("too many zones", zones((0..<40).map { ["zone": "z\($0)"] }), "DYNAMIC_CONSTRAINT_ERROR"),
            ("zone sensitivity", zones([["zone": "gate", "sensitivity": 3]]), "INVALID_COMMAND"),
            ("video stream", rig.options { $0["videoStreams"] = [["name": "v", "id": 3]] }, "InvalidStream"),
            ("audio stream", rig.options { $0["audioStreams"] = [["name": "a", "id": 3]] }, "InvalidStream"),
            (
                "audio name of video", rig.options { $0["audioStreams"] = [["name": "video", "id": 0]] },
                "InvalidStream"
            ),
            (
                "stream twice",
                rig.options { $0["videoStreams"] = [["name": "v", "id": 0], ["name": "w", "id": 0]] },
                "DuplicateStreamValues"
            ),
            ("no stream", rig.options { $0["videoStreams"] = nil }, "INVALID_COMMAND"),
            ("old and new", rig.options { $0["videoStreamID"] = 0 }, "INVALID_COMMAND"),
            ("sensitivity", trigger { $0["motionSensitivity"] = 11 }, "CONSTRAINT_ERROR"),
            ("no time control", trigger { $0["motionTimeControl"] = nil }, "INVALID_COMMAND"),
            ("I 0", control("initialDuration", 0), "CONSTRAINT_ERROR"),
            ("M 0", control("maxDuration", 0), "CONSTRAINT_ERROR"),
            ("M below I", control("maxDuration", 1), "CONSTRAINT_ERROR"),
            ("usage", rig.options { $0["streamUsage"] = "art" }, "CONSTRAINT_ERROR"),
            ("no CMAF options", rig.options { $0["containerOptions"] = ["containerType": "cmaf"] }, "INVALID_COMMAND"),
            (
                "segment",
                rig.options { $0["containerOptions"] = rig.container(segmentMs: rig.keyFrameMs * 5 / 2) },
                "InvalidOptions"
            ),
            ("chunk", rig.options { $0["containerOptions"] = rig.container(chunkMs: 60_000) }, "CONSTRAINT_ERROR"),
            ("short pre-roll", trigger { $0["maxPreRollLen"] = max(rig.keyFrameMs / 2, 1) }, "InvalidPreRollLength"),
            ("no pre-roll", trigger { $0["maxPreRollLen"] = nil }, "INVALID_COMMAND"),
            (
                "pre-roll of continuous",
                rig.options { $0["triggerOptions"] = ["triggerType": "continuous", "maxPreRollLen": 0] },
                "INVALID_COMMAND"
            ),
            (
                "zones of command",
                rig.options {
                    $0["triggerOptions"] = ["triggerType": "command", "maxPreRollLen": 0, "motionZones": [gate]]
                }, "INVALID_COMMAND"
            ),
        ]
    }

    @Test(
        "PAVST-2.3 and 2.11: each option that does not fit is refused by Matter's name, and what fits begins inactive")
    func allocated() async throws {
        let rig = try await TransportRig.start()
        defer { rig.daemon.discard() }
        for (name, options, matter) in Self.cases(rig) {
            let answer = try rig.ask("POST", "", options)
            #expect(answer.matter == matter && (answer.status == 200) == (matter == nil), "\(name): \(answer)")
            if let number = answer.number {
                #expect(answer.transportStatus == "inactive")
                #expect(try rig.ask("DELETE", "/\(number)").status == 200)
            }
        }
        // What is left to the daemon gets the names of the old fields.
        let chosen =
            try rig.ask(
                "POST", "",
                rig.options {
                    $0["videoStreams"] = nil
                    ($0["videoStreamID"], $0["audioStreamID"]) = (NSNull(), NSNull())
                }
            ).object["transportOptions"] as? [String: Any]
        let names = ["videoStreams", "audioStreams"].map {
            (chosen?[$0] as? [[String: Any]])?.first?["name"] as? String
        }
        #expect(names == ["video", "audio"])
        #expect(try rig.all("back").count == 1)
        // As many as may be, and no more.
        for _ in 1..<16 { _ = try rig.allocate() }
        #expect(try rig.ask("POST", "", rig.options()).matter == "RESOURCE_EXHAUSTED")
        #expect(rig.daemon.end() == 0)
    }

    @Test(
        "PAVST-2.3: null for zones and sensitivity is anywhere and all, and leaves them as they are where it is sent later"
    )
    func nulls() async throws {
        let rig = try await TransportRig.start()
        defer { rig.daemon.discard() }
        func trigger(_ answer: TransportRig.Answer) -> [String: Any]? {
            (answer.object["transportOptions"] as? [String: Any])?["triggerOptions"] as? [String: Any]
        }
        let nulls: [String: Any] = ["motionZones": NSNull(), "motionSensitivity": NSNull()]
        let anywhere = try rig.allocate(
            rig.options { $0["triggerOptions"] = TransportRig.motion { $0.merge(nulls) { $1 } } })
        let kept = trigger(try rig.ask("GET", "/\(anywhere)"))
        #expect(kept != nil && kept?["motionZones"] == nil && kept?["motionSensitivity"] == nil, "\(kept ?? [:])")
        #expect(try rig.set(anywhere, "active").status == 200)
        // The slightest motion that there is.
        #expect(try rig.daemon.vigil(["trigger", "front", "--level", "10"]).status == 0)
        try await rig.daemon.wait("its recording") { try !rig.recordings(anywhere).isEmpty }

        let gate: [[String: Any]] = [["zone": "gate"]]
        let narrow = try rig.allocate(
            rig.options {
                $0["triggerOptions"] = TransportRig.motion {
                    $0["motionZones"] = gate
                    $0["motionSensitivity"] = 3
                }
            })
        let same = trigger(try rig.ask("PATCH", "/\(narrow)", ["triggerOptions": nulls]))
        #expect((same?["motionZones"] as? [[String: Any]])?.first?["zone"] as? String == "gate", "\(same ?? [:])")
        #expect(same?["motionSensitivity"] as? Int == 3)
        let wide = trigger(try rig.ask("PATCH", "/\(narrow)", ["triggerOptions": ["motionZones": [Any]()]]))
        #expect((wide?["motionZones"] as? [Any])?.isEmpty == true, "\(wide ?? [:])")
        #expect(rig.daemon.end() == 0)
    }

    @Test("What of Matter is not done is named with its reason, and each stream usage that is named so is refused")
    func unsupported() async throws {
        let rig = try await TransportRig.start()
        defer { rig.daemon.discard() }
        let able = try rig.ask("GET", "/capabilities").object
        let told = try #require(able["unsupported"] as? [[String: String]])
        #expect(
            told.compactMap { $0["name"] } == [
                "liveView", "analysis", "internal", "perZoneSensitivity", "metadata", "cencKey",
            ])
        #expect(told.allSatisfy { $0["why"]?.isEmpty == false })
        #expect(able["streamUsages"] as? [String] == ["recording"])
        for usage in told.prefix(3).compactMap({ $0["name"] }) {
            let answer = try rig.ask("POST", "", rig.options { $0["streamUsage"] = usage })
            #expect(answer.status == 422 && answer.matter == "InvalidStreamUsage", "\(usage): \(answer)")
        }
        let number = try rig.allocate()
        let changed = try rig.ask("PATCH", "/\(number)", ["streamUsage": "analysis"])
        #expect(changed.matter == "InvalidStreamUsage", "\(changed)")
        // The command tells them to people, and takes none of them.
        let wanted = try rig.daemon.vigil(["transport", "allocate", "front", "--usage", "liveView"])
        #expect(wanted.status == 1 && wanted.errors.contains("[InvalidStreamUsage]"), "\(wanted)")
        let shown = try rig.daemon.vigil(["transport", "capabilities", "front"])
        for one in told {
            let line = "not done: \(one["name"] ?? ""): \(one["why"] ?? "")"
            #expect(shown.output.contains(line), "\(line)\n\(shown.output)")
        }
        #expect(rig.daemon.end() == 0)
    }

    @Test("PAVST-2.10: an address that is not https, or has a fragment, a query, no slash or no host is refused")
    func addresses() async throws {
        let rig = try await TransportRig.start()
        defer { rig.daemon.discard() }
        let good = "https://media.example.org/front/"
        for (url, matter) in [
            (good, nil), ("http://media.example.org/front/", "InvalidURL"), (good + "#top/", "InvalidURL"),
            (good + "?a=b/", "InvalidURL"), ("https://media.example.org/front", "InvalidURL"),
            ("https:///front/away/", "InvalidURL"), ("https://a/", "CONSTRAINT_ERROR"),
        ] as [(String, String?)] {
            let answer = try rig.ask("POST", "", rig.options { $0["url"] = url })
            #expect(answer.matter == matter && (answer.status == 200) == (matter == nil), "\(url): \(answer)")
        }
        #expect(rig.daemon.end() == 0)
    }

    @Test(
        "The login of an address is shown to nobody, and stays where what was shown is sent back; names are parts of addresses"
    )
    func logins() async throws {
        let rig = try await TransportRig.start()
        defer { rig.daemon.discard() }
        func url(_ answer: TransportRig.Answer) -> String? {
            (answer.object["transportOptions"] as? [String: Any])?["url"] as? String
        }
        let made = try rig.ask("POST", "", rig.options { $0["url"] = "https://front:secret@media.example.org/a/" })
        let shown = "https://***@media.example.org/a/"
        #expect(url(made) == shown)
        let path = "/\(try #require(made.number))"
        #expect(url(try rig.ask("PATCH", path, ["url": shown])) == shown)
        #expect(url(try rig.ask("PATCH", path, ["url": "https://other.example.org/"])) == "https://other.example.org/")
        for (names, matter) in [(["cam.1"], nil), (["a/b"], "CONSTRAINT_ERROR"), ([".."], "CONSTRAINT_ERROR")] {
            let answer = try rig.ask(
                "POST", "",
                rig.options {
                    $0["url"] = "https://media.example.org/a/"
                    $0["videoStreams"] = names.map { ["name": $0, "id": 0] }
                })
            #expect(answer.matter == matter, "\(names): \(answer)")
        }
        let able = try rig.ask("GET", "/capabilities").object
        #expect(able["cmafInterfaces"] as? [String] == ["interface1", "interface2DASH", "interface2HLS"])
        #expect(able["tlsEndpoints"] as? [Int] == [0])
        #expect(rig.daemon.end() == 0)
    }

    @Test("PAVST-2.4 and 2.9: what is modified keeps all else, and a transport whose time is over is gone")
    func modified() async throws {
        let rig = try await TransportRig.start()
        defer { rig.daemon.discard() }
        let number = try rig.allocate()
        for (path, camera) in [("/\(number + 1)", "front"), ("/\(number)", "back")] {
            #expect(try rig.ask("PATCH", path, ["expiryTime": 120], camera: camera).matter == "NOT_FOUND")
        }
        let before = try rig.ask("GET", "/\(number)").object["transportOptions"] as? [String: Any]
        let changed = try rig.ask(
            "PATCH", "/\(number)", ["expiryTime": 120, "triggerOptions": ["motionSensitivity": 5]])
        #expect(changed.status == 200 && changed.object["expires"] is String, "\(changed)")
        var expected = before
        expected?["expiryTime"] = 120
        var trigger = before?["triggerOptions"] as? [String: Any]
        trigger?["motionSensitivity"] = 5
        expected?["triggerOptions"] = trigger
        let after = try rig.ask("GET", "/\(number)").object["transportOptions"] as? [String: Any]
        #expect(after.map(NSDictionary.init) == expected.map(NSDictionary.init))
        let bad = try rig.ask("PATCH", "/\(number)", ["triggerOptions": ["motionSensitivity": 0]])
        #expect(bad.matter == "CONSTRAINT_ERROR")

        let short = try rig.allocate(rig.options { $0["expiryTime"] = 2 })
        try await rig.daemon.wait("it is over") { try rig.ask("GET", "/\(short)").status == 404 }
        #expect(try rig.ask("GET", "/\(number)").status == 200)
        #expect(rig.daemon.end() == 0)
    }
}
