import Machines

extension CameraSessionsWorld {
    /// That what the properties speak of happens in this view.
    public var cases: [Property<CameraSessionsWorld>] {
        switch view.kind {
        case .live: Self.liveCases
        case .record: Self.recordCases
        case .recordLive: Self.recordCases + Self.recordLiveCases
        case .time: Self.timeCases
        }
    }

    private static func some(_ name: String, _ holds: @escaping @Sendable (CameraSessions) -> Bool)
        -> Property<CameraSessionsWorld>
    {
        Property("Case " + name, .sometimes(holds))
    }

    private static func someone(_ name: String, _ holds: @escaping @Sendable (CameraSessions, Int, Session) -> Bool)
        -> Property<CameraSessionsWorld>
    {
        some(name) { all in all.sessions.indices.contains { holds(all, $0, all.sessions[$0].session) } }
    }

    private static let liveCases: [Property<CameraSessionsWorld>] = [
        some("both are live") { $0.machines.allSatisfy { $0.phase == .previewing } },
        someone("live while recording is off") { all, _, session in
            !all.camera.intent.enabled && all.camera.link.phase == .streaming && session.phase == .previewing
        },
        someone("the link is lost while somebody looks") { all, _, session in
            all.camera.link.phase == .waiting && session.phase == .previewing
        },
        someone("a start meets privacy that it does not know of") { all, id, session in
            session.phase == .startingPreview && !all.watches[id]
        },
        someone("a picture that nobody takes lets the camera go") { all, id, session in
            session.phase == .previewing && !all.watches[id] && all.mail.isEmpty && all.camera.link.state == .off
        },
        someone("the camera is removed while somebody looks") { all, _, session in
            all.camera.intent.draining && !all.stops && session.isLive
        },
        some("the camera has stopped") { $0.camera.stopped },
        .someJoint("Case the last one who looks leaves") { move in
            move.event == .camera(.viewers(0))
                && move.ofCamera.contains { if case .hangUp = $0 { true } else { false } }
        },
        .someJoint("Case the other one who looks stays") { move in
            move.event == .camera(.viewers(1)) && move.before.camera.intent.viewers == 2
                && move.after.camera.link.phase == .streaming
        },
        .someJoint("Case a stop ends live pictures") { move in
            move.event == .stop && move.before.machines.contains { $0.phase == .previewing }
        },
    ]

    private static let recordCases: [Property<CameraSessionsWorld>] = [
        some("both record") { $0.ranges == [true, true] },
        some("an order to record is given up") { $0.commands.contains(.stale) },
        some("the camera is removed while it records for a viewer") { $0.camera.intent.draining && $0.ranges[1] },
        .someJoint("Case an order to record dials") { move in
            move.event == .commanded(1) && move.ofCamera.contains { if case .dial = $0 { true } else { false } }
        },
        .someJoint("Case two record into one clip") { move in
            move.event == .commanded(1) && move.before.camera.isWriting && move.before.ranges[0]
        },
        .someJoint("Case what is recorded ends by the toggle, and the clip plays on") { move in
            move.event == .mail && !move.before.camera.intent.enabled && move.effects(of: 1).contains(.recordOff)
                && move.after.machines[1].phase == .playing
        },
        .someJoint("Case what is recorded ends by privacy, and the clip plays on") { move in
            move.event == .mail && move.before.camera.intent.blocked && move.effects(of: 1).contains(.recordOff)
                && move.after.machines[1].phase == .playing
        },
        .someJoint("Case the camera refuses to record") { move in
            move.effects(of: 0).contains(.report(.failed(.record, .unreachable)))
        },
        .someJoint("Case the camera's answer comes too late") { move in
            move.event == .camera(.tick) && move.before.commands[0] == .granted
                && move.effects(of: 0).contains(.report(.failed(.record, .timeout)))
        },
    ]

    private static let recordLiveCases: [Property<CameraSessionsWorld>] = [
        .someJoint("Case what is recorded ends by the toggle, and the picture stays") { move in
            move.event == .mail && !move.before.camera.intent.enabled && move.effects(of: 0).contains(.recordOff)
                && move.after.machines[0].phase == .previewing
        }
    ]

    private static let timeCases: [Property<CameraSessionsWorld>] = [
        someone("a session expires") { _, _, session in session.phase == .ended(.expired) },
        .someJoint("Case the second one finds the camera full") { move in
            move.id.map { move.effects(of: $0) == [.refused(.startPreview, .full)] } ?? false
        },
    ]
}
