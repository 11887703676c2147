internal import Catalog
internal import Synchronization

/// The clips that are being written and go up meanwhile where they are wanted, for the worker that sends them. Those who record
/// only leave word here; nothing in it waits.
final class LiveClips: Sendable {
    /// What the worker is told.
    enum News: Sendable {
        /// A clip was opened, or an event began: a job may be wanted now.
        case began
        /// More of a clip is durable.
        case grew(ClipID)
    }

    private struct State {
        var clips: [ClipID: GrowingClip] = [:]
        var tell: (@Sendable (News) -> Void)?
    }

    private let state = Mutex(State())

    /// A clip that is being written; nil for all others.
    subscript(id: ClipID) -> GrowingClip? { state.withLock { $0.clips[id] } }

    /// Calls `body` with all news from now on; it returns at once.
    func whenNews(_ body: @escaping @Sendable (News) -> Void) { state.withLock { $0.tell = body } }

    /// A clip was opened.
    func began(_ clip: GrowingClip) {
        state.withLock {
            $0.clips[clip.id] = clip
            return $0.tell
        }?(.began)
    }

    /// What was written of a clip has become durable.
    func grew(_ id: ClipID) { state.withLock { $0.clips[id] == nil ? nil : $0.tell }?(.grew(id)) }

    /// An event began somewhere.
    func eventBegan() { state.withLock { $0.clips.isEmpty ? nil : $0.tell }?(.began) }

    /// A clip is not written any more.
    func ended(_ id: ClipID) { state.withLock { $0.clips[id] = nil } }
}
