import Machines

/// One who hears what a session orders and tells, and nothing else, and so knows what it shows. Deadlines, privacy and how far
/// playback is to reach it does not hear of.
struct SessionListener {
    private(set) var form: SessionForm

    init(_ form: SessionForm) { self.form = form }

    mutating func hear(_ effect: Session.Effect) {
        switch effect {
        case .order(_, let order): started(order)
        case .abandon: form.order = nil
        case .recordOff: form.record = false
        case .talkOff: form.talk = false
        case .mute: form.sound = false
        case .stopPreview: form.definition = nil
        case .stopPlayback: form.speed = nil
        case .disconnect: form.up = false
        case .setSpeed(let speed): form.speed = speed
        case .report(let report): told(report)
        case .playOn, .refused, .ignored: break
        }
    }

    private mutating func started(_ order: Session.Order) {
        form.order = SessionForm.unnumbered(order)
        switch order {
        case .startPreview(let definition):
            form.phase = .startingPreview
            form.definition = definition
            form.day = nil
        case .startPlayback:
            form.phase = .startingPlayback
            form.speed = .normal
        case .connect, .pause, .resume, .setDefinition, .unmute, .talkOn, .recordOn, .listDays, .listClips: break
        }
    }

    private mutating func told(_ report: Session.Report) {
        switch report {
        case .extended: break
        case .stopped: form.phase = .idle
        case .finished:
            form.phase = .idle
            form.speed = nil
        case .lost:
            form.phase = .idle
            form.up = false
            form.day = nil
        case .ended(let why):
            form.phase = .ended(why)
            form.day = nil
        case .failed(let step, _):
            form.order = nil
            guard step == .startPreview || step == .startPlayback else { break }
            form.phase = .idle
            form.definition = nil
            form.speed = nil
        case .connected, .previewing, .playing, .paused, .definition, .soundOn, .talkOn, .recordOn, .days, .clips:
            form.order = nil
            done(report)
        }
    }

    private mutating func done(_ report: Session.Report) {
        switch report {
        case .connected: form.up = true
        case .previewing: form.phase = .previewing
        case .playing: form.phase = .playing
        case .paused: form.phase = .paused
        case .definition(let definition): form.definition = definition
        case .soundOn: form.sound = true
        case .talkOn: form.talk = true
        case .recordOn: form.record = true
        case .clips(let day): form.day = day
        case .days, .stopped, .finished, .lost, .extended, .failed, .ended: break
        }
    }
}
