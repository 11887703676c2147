internal import Journal
public import Replay
public import Server

extension MomentAnswer {
    /// What is told of a replayed moment.
    public init(_ moment: MomentReplay, _ narrator: Narrator) {
        let last = moment.replay?.last
        var facts: [Fact] = []
        if let last, let machine = moment.replay?.machine {
            facts = narrator.at(last.at, wallMs: last.wallMs).facts(machine, moment.history).map {
                Fact(part: $0.part, words: $0.words, since: $0.sinceMs.map { WallTime(ms: $0) }, cause: $0.cause)
            }
        }
        self.init(
            camera: moment.camera, time: WallTime(ms: moment.wallMs), run: moment.replay?.run, step: last?.seq,
            stepTime: last?.wallMs.map { WallTime(ms: $0) }, facts: facts, account: narrator.account(moment))
    }
}
