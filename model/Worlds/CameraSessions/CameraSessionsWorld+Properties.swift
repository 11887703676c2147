import Machines

extension CameraSessionsWorld {
    /// What must hold in this view, whatever comes in; what a view has no case of is asked in others. Written from
    /// docs/design/rules.md and from the requests and facts of docs/design/session.md.
    public var properties: [Property<CameraSessionsWorld>] {
        switch view.kind {
        case .live, .time: Self.privacy + Self.viewers + Self.ends + [limit]
        case .record, .recordLive: Self.privacy + Self.recording + Self.viewers + Self.ends
        }
    }

    private var limit: Property<CameraSessionsWorld> {
        .init(
            "Session the camera has no more live sessions than its limit",
            .always { [view] all in all.machines.count { $0.isLive } <= view.liveMax })
    }

    private static let privacy: [Property<CameraSessionsWorld>] = [
        .init("S7 nobody looks who may not, from the very step on", .always { $0.hidden == nil || $0.looking == 0 }),
        .eachSession("S7 nothing live outlives the camera's word of privacy") { all, _, session in
            !all.mail.isEmpty || !all.isPrivate || !session.isLive
        },
        .eachSession("S7 a session knows whether live privacy is on") { all, _, session in
            !all.mail.isEmpty || all.hidden == .draining || session.hasEnded || session.privacy == all.isPrivate
        },
    ]

    private static let recording: [Property<CameraSessionsWorld>] = [
        .eachSession("S7 nothing is recorded for a viewer under recording privacy") { all, id, session in
            !all.mail.isEmpty || !all.camera.intent.blocked || !session.record && !all.ranges[id]
        },
        .joint("S7 what is played goes on until the camera goes away") { move in
            guard move.event == .mail, move.before.mail.first != .draining else { return true }
            return move.before.sessions.indices.allSatisfy { id in
                let (before, after) = (move.before.sessions[id].session, move.after.sessions[id].session)
                return !before.isPlayback
                    || before.phase == after.phase && after.up && before.speed == after.speed
            }
        },
        .eachSession("S6 what is told to be recorded is recorded for a command") { all, _, session in
            guard session.record else { return true }
            return all.camera.trigger.window?.commanded == true && all.camera.trigger.active != nil
                || all.mail.contains(.unrecorded)
        },
        .eachSession("S8 a range is protected exactly while its session records") { all, id, session in
            all.ranges[id] == session.record
        },
        .eachSession("S10 an order to record is under way exactly while its session waits for it") { all, id, session in
            [.asked, .granted, .refused].contains(all.commands[id]) == (session.ask?.order == .recordOn)
        },
        .joint("S1 who records while a clip is open makes no other") { move in
            guard case .commanded = move.event, move.before.camera.recorder.clip != nil else { return true }
            return move.after.camera.recorder.word == move.before.camera.recorder.word && !move.touchesClips
        },
    ]

    private static let viewers: [Property<CameraSessionsWorld>] = [
        .eachSession("S7 who looks has a live session") { all, id, session in !all.watches[id] || session.isLive },
        .init(
            "S6 on demand only who looks or records holds the camera",
            .always { all in
                let camera = all.camera
                return camera.intent.viewers != all.looking || camera.link.current == nil || all.looking > 0
                    || camera.mediaWanted || camera.recorder.clip != nil
            }),
        .init(
            "L1 who looks holds the camera",
            .always { all in
                let intent = all.camera.intent
                return intent.viewers == 0 || intent.privacy.hard || intent.draining || all.camera.link.state != .off
                    || all.camera.link.hangingUp != nil
            }),
        .joint("S6 the toggle ends no live picture, nor does a lost link") { move in
            let isToggle = move.event == .camera(.enabled(true)) || move.event == .camera(.enabled(false))
            guard isToggle || move.event == .camera(.lost(.cur)) else { return true }
            return move.after.sessions == move.before.sessions && move.after.watches == move.before.watches
                && (!isToggle || move.before.camera.intent.viewers == 0
                    || move.after.camera.link == move.before.camera.link)
        },
        .joint("S6 the camera counts who looks") { move in
            guard case .camera(.viewers(let count)) = move.event else { return true }
            return move.after.camera.intent.viewers == count
        },
        .joint("S6 who looks touches the link and nothing else") { move in
            guard case .camera(.viewers) = move.event else { return true }
            let (before, after) = (move.before.camera, move.after.camera)
            return before.trigger == after.trigger && before.recorder == after.recorder
                && before.keepsMedia == after.keepsMedia && move.before.sessions == move.after.sessions
        },
        .joint("S6 what one viewer does changes nothing of the other") { move in
            guard let id = move.id else { return true }
            let other = 1 - id
            return move.before.sessions[other] == move.after.sessions[other]
                && move.before.watches[other] == move.after.watches[other]
                && move.before.ranges[other] == move.after.ranges[other] && move.effects(of: other).isEmpty
        },
    ]

    private static let ends: [Property<CameraSessionsWorld>] = [
        .eachSession("L4 a stop ends the sessions before the camera") { all, _, session in
            !all.stops || session.hasEnded
        },
        .eachSession("S8 a camera that goes away takes its connections along") { all, id, session in
            !all.mail.isEmpty || !all.camera.intent.draining
                || !session.up && !all.watches[id] && !all.ranges[id]
        },
    ]
}
