internal import NIOCore

/// One connection on its event loop: whose turn it is, and until when. What the client owes (a head, a body, the taking of an
/// answer) has a deadline; past it the connection is closed.
final class Connection {
    /// What of a request is being read.
    private enum Reading {
        case nothing
        /// Its head, since its first byte came.
        case head(since: NIODeadline)
        /// Its body, since the end of its head.
        case body(since: NIODeadline, bytes: Int)
    }

    let place: Connections.Place
    let connections: Connections
    private let channel: any Channel
    private var stalledMax: TimeAmount
    private var reading = Reading.nothing
    /// Requests whose head has come and whose answer has not ended.
    private(set) var answering = 0
    /// Parts of answers that are on their way, and when one of them was last taken, or the first one given.
    private var untaken = 0
    private var takenAt = NIODeadline.now()
    /// When it last became idle.
    private var idleSince = NIODeadline.now()
    private var hasAsked = false
    /// Whether its client had spoken when it was taken up, and we have not read that yet: it waits for us.
    private var hasUnread: Bool
    private var request: String?
    private var timer: (task: Scheduled<Void>, at: NIODeadline)?
    /// Whether it is closed. A request that was being read then may still ask for something.
    private(set) var isOver = false
    /// Whether it is a live viewer's: then it ends with its answer, and what it still says is no request.
    private(set) var isViewer = false
    /// Whether the body under way is pushed by a camera: it goes on as long as something comes of it.
    private var isPusher = false {
        didSet {
            guard isPusher != oldValue else { return }
            if isPusher { connections.beginPushing(place) } else { connections.endPushing(place) }
        }
    }
    /// How much of the body under way is read at most.
    private var bodyMost = Limits.bodyBytesEver
    /// Bytes that came behind a request for another protocol; nil before it, and where that is spoken.
    private var bytesBehindLast: Int?
    /// Whether bytes are asked for from the socket; a request that we do not read is not late.
    var isReading = true

    init(_ channel: any Channel, _ place: Connections.Place, _ connections: Connections, hasUnread: Bool = false) {
        self.hasUnread = hasUnread
        self.channel = channel
        self.place = place
        self.connections = connections
        stalledMax = connections.limits.stalledMax
    }

    /// The place of `handler` in the channel's pipeline.
    func context(of handler: ConnectionRequests) throws -> ChannelHandlerContext {
        try channel.pipeline.syncOperations.context(handler: handler)
    }

    // MARK: What happens

    /// The answer under way is live view. Throws `unavailable` where there are as many viewers as may be.
    func becomesViewer() throws(SiteError) {
        guard !isViewer else { return }
        guard connections.becomesViewer(place) else {
            let limits = connections.limits
            throw SiteError(
                .unavailable, what: "live view was not begun",
                why: "this listener has \(limits.viewersMost) viewers, or \(limits.viewersOfPeerMost) of "
                    + "\(place.peer.name), which is the most",
                remedy: "close views that are not looked at, or try again later")
        }
        isViewer = true
    }

    /// The body under way is pushed by a camera: neither its length nor its time has a bound, and it keeps its place.
    func becomesPusher() {
        guard case .body = reading else { return }
        isPusher = true
        reading = .body(since: .now(), bytes: 0)
        update()
    }

    /// It can be spoken over.
    func began() {
        idleSince = .now()
        update()
    }

    /// Bytes came.
    func bytesCame(_ count: Int) {
        hasUnread = false
        if let before = bytesBehindLast {
            bytesBehindLast = before + count
            if before + count > Limits.bytesBehindLastMax { cut(.behindLast) }
            return
        }
        guard case .nothing = reading, !isViewer else { return }
        reading = .head(since: .now())
        update()
    }

    /// The head of a request is whole.
    func headCame(_ title: String) {
        (reading, hasAsked, request) = (.body(since: .now(), bytes: 0), true, title)
        (isPusher, bodyMost) = (false, Limits.bodyBytesEver)
        answering += 1
        update()
    }

    /// A part of a body came.
    func bodyCame(_ count: Int) {
        guard case .body(let since, let before) = reading else { return }
        if isPusher { return reading = .body(since: .now(), bytes: 0) }
        reading = .body(since: since, bytes: before + count)
        if before + count > bodyMost { cut(.longBody) }
    }

    /// A request is whole.
    func requestCame() {
        reading = .nothing
        update()
    }

    /// A request for another protocol is whole. HTTP's codec keeps what comes behind it, and nothing of that makes it read less.
    func lastRequestCame() { bytesBehindLast = 0 }

    /// Another protocol is spoken from now on.
    func protocolChanged() { bytesBehindLast = nil }

    /// An answer has ended.
    func answered() {
        // The answer to what is no request has no head before it.
        answering = max(0, answering - 1)
        idleSince = .now()
        // What was refused amid its body is a body like any other from now on; but of who may push the rest of a fragment is read,
        // so that it reads the answer.
        if isPusher { (isPusher, bodyMost) = (false, Limits.pushedBytesMost) }
        update()
    }

    /// A part of an answer is on its way.
    func gave() {
        if untaken == 0 { takenAt = .now() }
        untaken += 1
        update()
    }

    /// A part of an answer was taken.
    func taken() {
        untaken -= 1
        takenAt = .now()
        if untaken == 0 { idleSince = takenAt }
        update()
    }

    /// The daemon stops. A request that is not whole, and an answer that nobody takes, are not waited for; says whether the
    /// connection goes on for the answers under way.
    func stops() -> Bool {
        if case .body = reading { return false }
        stalledMax = connections.limits.stoppingStalledMax
        update()
        return answering > 0 || untaken > 0
    }

    /// It is closed.
    func ended() {
        isOver = true
        timer?.task.cancel()
        timer = nil
    }

    // MARK: Deadlines

    /// The first deadline of the client, and what is told when it passes; nil while the client waits for us.
    private var deadline: (at: NIODeadline, reason: ConnectionCut.Reason?)? {
        let limits = connections.limits
        let headMax = place.isForHealth ? limits.healthHeadMax : limits.headMax
        var all: [(at: NIODeadline, reason: ConnectionCut.Reason?)] = []
        switch reading {
        case .head(let since): all.append((since + headMax, .head))
        case .body(let since, _): all.append((since + limits.bodyMax, .body))
        case .nothing where !hasAsked: all.append((idleSince + headMax, .head))
        case .nothing where answering == 0 && untaken == 0: all.append((idleSince + limits.idleMax, nil))
        case .nothing: break
        }
        if untaken > 0 { all.append((takenAt + stalledMax, .unread)) }
        return all.min { $0.at < $1.at }
    }

    /// From when on its place may be given to another.
    private var yieldsFrom: NIODeadline? {
        if isViewer || isPusher { return nil }
        if untaken > 0 { return takenAt + connections.limits.yieldingStalledMax }
        switch reading {
        case .head(let since), .body(let since, _): return since
        case .nothing: return answering == 0 ? idleSince : nil
        }
    }

    private func update() {
        guard !isOver else { return }
        connections.yields(place, from: yieldsFrom, isUnread: hasUnread)
        guard let deadline else { return }
        if let timer, timer.at <= deadline.at { return }
        schedule(at: deadline.at)
    }

    private func schedule(at time: NIODeadline) {
        timer?.task.cancel()
        timer = (channel.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timePassed() }, time)
    }

    private func timePassed() {
        timer = nil
        guard !isOver, let deadline else { return }
        let now = NIODeadline.now()
        if now < deadline.at { return schedule(at: deadline.at) }
        // What is not read because an answer comes first is looked at again later. Behind an answer nobody may read any more: then
        // its client has had its time, too.
        if !isReading, answering > 0, deadline.reason != .unread { return schedule(at: now + .seconds(1)) }
        guard let reason = deadline.reason else { return close() }
        cut(reason)
    }

    private func cut(_ reason: ConnectionCut.Reason) {
        guard !isOver else { return }
        connections.reports.cut(place.peer.name, request, reason, on: channel.eventLoop)
        close()
    }

    private func close() {
        ended()
        channel.close(promise: nil)
    }
}
