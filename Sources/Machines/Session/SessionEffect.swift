extension Session {
    /// An order to the shell, carried out in the order of the array.
    public enum Effect: Hashable, Sendable, Codable {
        /// Do this, and answer with `did` or `failed`. Given only when no other answer is outstanding.
        case order(OrderNumber, Order)
        /// Give this order up: what it would have begun must not begin, or is undone; its answer is no longer waited for.
        /// Done before the next effect.
        case abandon(OrderNumber)
        /// End what the viewer records. Done before the picture it records is stopped.
        case recordOff
        /// End talk-back. Done before the live picture is stopped.
        case talkOff
        /// End the sound of what is shown. Done before that is stopped or replaced.
        case mute
        /// End the live picture. No frame is shown after it (S7).
        case stopPreview
        /// End playback. A start of another clip needs none before it.
        case stopPlayback
        /// End the viewer's connection, or the making of it. Done after all that runs over it.
        case disconnect
        /// Play faster or slower from now on.
        case setSpeed(Speed)
        /// Show the next clip of this start; it is chained or contiguous, or lies behind a hole that is to be played over.
        case playOn(StartNumber)
        /// Tell the viewer: one transition.
        case report(Report)
        /// The request cannot be met and changed nothing.
        case refused(Step, Refusal)
        /// The event did not fit and changed nothing; count and journal it.
        case ignored(Ignored)
    }

    /// What the world must answer.
    public enum Order: Hashable, Sendable, Codable {
        /// Connect to the camera's streams and clips.
        case connect
        /// Show the live picture, without sound.
        case startPreview(Definition)
        /// Show clips from this position on, at normal speed and without sound; replaces the clip that is shown.
        case startPlayback(StartNumber, Day, Position)
        /// Hold the clip.
        case pause
        /// Let the clip go on.
        case resume
        /// Make the live picture finer or coarser.
        case setDefinition(Definition)
        /// Let the sound of what is shown be heard.
        case unmute
        /// Let the viewer be heard at the camera.
        case talkOn
        /// Record what is shown.
        case recordOn
        /// Say which days have clips.
        case listDays
        /// List the clips of a day.
        case listClips(Day)

        /// The step that its failure names.
        public var step: Step {
            switch self {
            case .connect: .connect
            case .startPreview: .startPreview
            case .startPlayback: .startPlayback
            case .pause: .pause
            case .resume: .resume
            case .setDefinition: .definition
            case .unmute: .mute
            case .talkOn: .talk
            case .recordOn: .record
            case .listDays: .listDays
            case .listClips: .listClips
            }
        }
    }

    /// What the machine tells the viewer: each is one transition (S11).
    public enum Report: Hashable, Sendable, Codable {
        /// The viewer is connected.
        case connected
        /// The live picture is shown.
        case previewing(Definition)
        /// A clip plays: newly started, or going on after a pause.
        case playing
        /// The clip is held.
        case paused
        /// What was shown is stopped, as asked.
        case stopped
        /// The last clip that could be played on is over.
        case finished(Finish)
        /// The connection is lost; it can be made again while the session's time lasts.
        case lost
        /// The live picture has another definition.
        case definition(Definition)
        /// The sound of what is shown is heard.
        case soundOn
        /// The viewer is heard at the camera.
        case talkOn
        /// What is shown is recorded.
        case recordOn
        /// The days are listed.
        case days
        /// The clips of this day are listed.
        case clips(Day)
        /// The session lasts longer.
        case extended
        /// An order could not be carried out.
        case failed(Step, Failure)
        /// The session has ended.
        case ended(Ending)
    }

    /// Why playback finished.
    public enum Finish: Hashable, Sendable, Codable {
        /// A hole; the next clip of the day starts at `next`, in wall-clock milliseconds since 1970.
        case hole(next: Int64)
        /// Nothing more on this day.
        case end
    }

    /// Why a request was refused.
    public enum Refusal: String, Hashable, Sendable, Codable, CaseIterable {
        /// The session has ended.
        case ended
        /// The viewer is not connected.
        case notConnected
        /// What is asked for is there or under way.
        case already
        /// The playback must be stopped first.
        case playbackRunning
        /// The preview must be stopped first.
        case previewRunning
        /// Live privacy is on.
        case privacy
        /// The camera has as many live sessions as it may have.
        case full
        /// The clips of this day have not been listed since the last connection, or since the last preview.
        case notListed
        /// A value is out of its range.
        case outside
        /// No clip plays.
        case notPlaying
        /// No clip is paused.
        case notPaused
        /// There is no live picture.
        case notPreviewing
        /// There is neither a live picture nor a clip that plays, or whose sound could be heard.
        case notShowing
        /// Another answer is outstanding.
        case busy
    }

    /// Why an event was ignored.
    public enum Ignored: String, Hashable, Sendable, Codable, CaseIterable {
        /// It answers an order that is over.
        case late
        /// It says what the state already holds.
        case duplicate
        /// No order with this number was ever given.
        case unknown
        /// There is no connection that could be lost.
        case notConnected
        /// The session has no deadline to be moved.
        case notLimited
        /// The session has ended.
        case ended
    }
}
