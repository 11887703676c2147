import Machines

extension SessionWorld {
    /// That what the properties speak of happens: without it they would hold for lack of cases.
    public static let cases: [Property<SessionWorld>] = states + moves + objections

    private static let states: [Property<SessionWorld>] =
        [
            .init("Case previewing", .sometimes { $0.session.phase == .previewing }),
            .init("Case playing", .sometimes { $0.session.phase == .playing }),
            .init("Case paused", .sometimes { $0.session.phase == .paused }),
            .init(
                "Case playing while live privacy is on",
                .sometimes { $0.session.phase == .playing && $0.session.privacy }),
            .init(
                "Case sound, talk-back and recording at once",
                .sometimes { $0.session.sound && $0.session.talk && $0.session.record }),
            .init("Case sound in playback", .sometimes { $0.session.phase == .playing && $0.session.sound }),
            .init(
                "Case sound of a recording while live privacy is on",
                .sometimes { $0.session.sound && $0.session.privacy }),
            .init("Case recorded while paused", .sometimes { $0.session.phase == .paused && $0.session.record }),
            .init("Case connected and no list yet", .sometimes { $0.session.up && $0.session.day == nil }),
        ]
        + Session.Ending.allCases.map { why in
            .init("Case ended \(why)", .sometimes { $0.session.phase == .ended(why) })
        }

    private static let moves: [Property<SessionWorld>] = [
        .someMove("Case a clip replaces another") {
            $0.before.phase == .playing && $0.after.phase == .startingPlayback
        },
        .someMove("Case a clip replaces one that is being started") {
            $0.before.phase == .startingPlayback && $0.after.phase == .startingPlayback && $0.isAccepted
        },
        .someMove("Case a clip replaces a pause under way") {
            $0.before.ask?.order == .pause && $0.after.phase == .startingPlayback
        },
        .someMove("Case a clip plays on") { $0.event == .clipEnded(.current, .follows) },
        .someMove("Case a hole") { $0.event == .clipEnded(.current, hole) && $0.before.reach == nil },
        .someMove("Case a hole that is played over, with sound") {
            $0.event == .clipEnded(.current, hole) && $0.before.reach == .overHoles && $0.before.sound
        },
        .someMove("Case a hole that is played over while a pause is under way") {
            $0.event == .clipEnded(.current, hole) && !$0.plays.isEmpty && $0.before.ask?.order == .pause
        },
        .someMove("Case a clip that is heard is replaced") {
            $0.before.phase == .playing && $0.before.sound && $0.after.phase == .startingPlayback
        },
        .someMove("Case sound is turned on while paused") {
            $0.request == .mute(false) && $0.before.phase == .paused && $0.isAccepted
        },
        .someMove("Case the end of the day while recording") {
            $0.event == .clipEnded(.current, .end) && $0.before.record
        },
        .someMove("Case no answer in time") { $0.isTimeout },
        .someMove("Case no answer in time and the session over, at once") { $0.isTimeout && $0.isExpiry },
        .someMove("Case the connection is lost while talking") { $0.event == .connectionLost && $0.before.talk },
        .someMove("Case the connection is lost while connecting") {
            $0.event == .connectionLost && $0.before.ask?.order == .connect
        },
        .someMove("Case a start fails") { $0.event == .failed(.current) && $0.before.phase == .startingPlayback },
        .someMove("Case live privacy comes while talking") { $0.event == .privacy(true) && $0.before.talk },
        .someMove("Case an unanswered unmute is called off") {
            $0.request == .mute(true) && $0.before.ask?.order == .unmute
        },
        .someMove("Case extended") { $0.has(.report(.extended)) },
        .someMove("Case all is given back at once") { move in
            [.recordOff, .talkOff, .mute, .stopPreview, .disconnect].allSatisfy { move.has($0) }
                && move.before.ask != nil
        },
        .someMove("Case a list is not fresh") { $0.before.day != nil && $0.has(.refused(.startPlayback, .notListed)) },
        .someMove("Case no resume after a stop") {
            $0.before.phase == .idle && $0.before.day != nil && $0.has(.refused(.resume, .notPaused))
        },
    ]

    /// Every reason of every row.
    private static let objections: [Property<SessionWorld>] = {
        let requests: [Session.Request] = [
            .connect, .startPreview(.hd, others: 4), .startPlayback(days[0], inside), .pause, .resume,
            .speed(hundredths: 200), .definition(.hd), .mute(false), .mute(true), .talk(true), .talk(false),
            .record(true), .record(false), .listDays, .listClips(days[0]), .stopPreview, .stopPlayback, .extend,
        ]
        return requests.flatMap { request in
            (SessionRows.objections(to: request) + [.refused(request.step, .ended)]).map { objection in
                .someMove("Case \(request.step) \(objection)") { move in
                    guard let asked = move.request, asked.step == request.step else { return false }
                    // A switch has one row for each way.
                    let same = [.mute, .talk, .record].contains(request.step) ? asked == request : true
                    return same && move.effects == [objection]
                }
            }
        }
    }()
}
