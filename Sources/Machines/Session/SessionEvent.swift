extension Session {
    /// A request of the viewer, or a fact that the shell tells. Answers carry the number of the order they answer; an old
    /// number is late.
    public enum Event: Hashable, Sendable, Codable {
        /// Nothing happened but time: deadlines that are due are applied (as before every other event).
        case tick
        /// The viewer asks for something.
        case request(Request)
        /// The order has been carried out.
        case did(OrderNumber)
        /// The order could not be carried out; nothing of it is left.
        case failed(OrderNumber, Failure)
        /// The clip that is shown came to its end.
        case clipEnded(StartNumber, Next)
        /// The viewer's connection ended without having been ordered to; its resources are freed.
        case connectionLost
        /// Live privacy (hard or softLive).
        case privacy(Bool)
        /// The viewer is gone or wants no more.
        case close
        /// Shut down: give everything back and end.
        case drain
    }

    /// What a viewer can ask for.
    public enum Request: Hashable, Sendable, Codable {
        /// A connection to the camera's streams and clips.
        case connect
        /// The live picture. `others`: the other sessions of this camera that are live, counted in the same turn.
        case startPreview(Definition, others: Int)
        /// A recorded clip of `day`; also another one, or another position, while one is shown. Without a reach it goes on to the
        /// first hole.
        case startPlayback(Day, Position, Reach? = nil)
        /// Hold the clip.
        case pause
        /// Let the clip go on.
        case resume
        /// Play faster or slower, in hundredths: 25 to 1,600.
        case speed(hundredths: Int)
        /// A finer or coarser live picture.
        case definition(Definition)
        /// The sound of what is shown: `true` mutes it.
        case mute(Bool)
        /// Talk-back.
        case talk(Bool)
        /// Record what is shown.
        case record(Bool)
        /// Which days have clips.
        case listDays
        /// The clips of a day.
        case listClips(Day)
        /// No live picture any more.
        case stopPreview
        /// No clip any more.
        case stopPlayback
        /// The whole time of a session again, from now.
        case extend

        /// Its name in refusals.
        public var step: Step {
            switch self {
            case .connect: .connect
            case .startPreview: .startPreview
            case .startPlayback: .startPlayback
            case .pause: .pause
            case .resume: .resume
            case .speed: .speed
            case .definition: .definition
            case .mute: .mute
            case .talk: .talk
            case .record: .record
            case .listDays: .listDays
            case .listClips: .listClips
            case .stopPreview: .stopPreview
            case .stopPlayback: .stopPlayback
            case .extend: .extend
            }
        }
    }

    /// The step that was refused or failed.
    public enum Step: String, Hashable, Sendable, Codable, CaseIterable {
        case connect, startPreview, startPlayback, pause, resume, speed, definition, mute, talk, record
        case listDays, listClips, stopPreview, stopPlayback, extend
    }

    /// Why an order could not be carried out.
    public enum Failure: String, Hashable, Sendable, Codable, CaseIterable {
        /// No answer came within its bound.
        case timeout
        /// The connection ended while it was being made.
        case lost
        /// The camera, or the clip's file, cannot be reached.
        case unreachable
        /// The camera refuses the login.
        case unauthorized
        /// The camera cannot do this.
        case unsupported
    }

    /// What comes after the clip that ended.
    public enum Next: Hashable, Sendable, Codable {
        /// A clip that is chained to it or contiguous.
        case follows
        /// A hole; the next clip of the day starts at `next`, in wall-clock milliseconds since 1970.
        case hole(next: Int64)
        /// Nothing on this day.
        case end
    }
}
