import Explorer
import Worlds

/// Asks the named properties (all, if none is named; where `independent` is named, also those that restate no machine, until one of them
/// fails) of every machine, in small worlds first. For each: a line with its name, the first world in which it fails, and the length of the
/// counter-example; then the counter-example. `restates` names those that were asked and restate a machine.
///
/// `run` builds it beside a mutant of the machines.
@main
struct Check {
    let wanted: Set<String>
    var found: Set<String> = []
    var failed: Set<String> = []
    var restating: Set<String> = []

    static func main() throws {
        var check = Check(wanted: Set(CommandLine.arguments.dropFirst()))
        for view in CameraConfiguration.judged + CameraConfiguration.largeJudged {
            try check.ask(view.name + ", judged", JudgedCamera.properties(view)) { JudgedCamera(view) }
        }
        for view in CameraConfiguration.everyday + [.contFull, .onDemand] {
            try check.ask(view.name, CameraProperties.all(view)) { CameraWorld(view) }
        }
        try check.ask("timetable", CameraProperties.safety(.timetable)) { CameraWorld(.timetable) }
        for view in [CameraConfiguration.link, .trigger, .event, .cont] {
            try check.ask(view.name + ", calm", CameraProperties.calm(view)) { CalmCamera(view) }
        }
        try check.ask("link, watched", CameraProperties.dials) { WatchedCamera<DialWatcher>(.link) }
        try check.ask("link in full, watched", CameraProperties.dials) { WatchedCamera<DialWatcher>(.linkFull) }
        try check.ask("keyless", CameraProperties.safety(.keyless)) { CameraWorld(.keyless) }
        try check.ask("mixed, key frames", CameraProperties.keyframes) { WatchedCamera<KeyFrameWatcher>(.mixed) }
        for view in [CameraConfiguration.link, .linkFirst, .keyless] {
            try check.ask("\(view.name), endpoints", CameraProperties.endpoints) {
                WatchedCamera<EndpointWatcher>(view)
            }
        }
        try check.ask("trigger in full, watched", CameraProperties.sources) {
            WatchedCamera<SourceWatcher>(.triggerFull)
        }
        try check.ask("trigger in full, blind", CameraProperties.blinds) {
            WatchedCamera<BlindWatcher>(.triggerFull)
        }
        for view in [CameraConfiguration.schedule, .eventScheduleFull] {
            try check.ask("\(view.name), watched", CameraProperties.rests) { WatchedCamera<RestWatcher>(view) }
        }
        try check.ask("mixed, watched", CameraProperties.owners) { WatchedCamera<ClipWatcher>(.mixed) }
        try check.ask("mixed, cuts", CameraProperties.ends) { WatchedCamera<CutWatcher>(.mixed) }
        try check.ask("trigger in full, timed", CameraProperties.lengths) { WatchedCamera<EventWatcher>(.triggerFull) }
        for subject in Subject.walks() + Subject.late() where subject.size == .everyday { try check.ask(subject) }
        let session = SessionWorld(.all)
        try check.ask("session", SessionWorld.properties) { session }
        try check.ask("session, sounds", SessionWorld.sounds) { WatchedSession<SoundWatcher>(session) }
        try check.ask("session, holes", SessionWorld.holes) { WatchedSession<HoleWatcher>(session) }
        try check.ask("session, ends", SessionWorld.ends) { WatchedSession<EndWatcher>(session) }
        try check.ask("session, times", SessionWorld.times) { WatchedSession<TimeWatcher>(session) }
        try check.ask("session, calm", SessionWorld.calmProperties) {
            SessionWorld(.calm, from: try Graph(session).states, of: session)
        }
        try check.ask("session, not extended", SessionWorld.unextendedProperties) { SessionWorld(.withoutExtension) }
        try check.ask("subscription", SubscriptionWorld.properties) { SubscriptionWorld() }
        let (transport, calm) = (TransportWorld(), TransportWorld(isCalm: true))
        try check.ask("transport", transport.properties) { transport }
        try check.ask("transport, calm", calm.calmProperties) { calm }
        try check.ask("transport, other options", TransportWorld.options.properties) { TransportWorld.options }
        try check.ask("transport, lengths", TransportWorld.lengths) { WatchedTransport<LengthWatcher>(transport) }
        try check.ask("transport, blinds", TransportWorld.blinds) { WatchedTransport<QuietWatcher>(transport) }
        try check.ask("transport, grounds", TransportWorld.grounds) { WatchedTransport<GroundWatcher>(transport) }
        try check.ask("subscription, ending", SubscriptionWorld.endingProperties) { SubscriptionWorld.ending }
        try check.ask("subscription, steady", SubscriptionWorld.steadyProperties) { SubscriptionWorld(steady: true) }
        try check.ask("upload", UploadWorld.properties) { UploadWorld() }
        try check.ask("upload, left to run", UploadWorld.liveProperties) { UploadWorld(.live) }
        try check.ask("upload, in an outage", UploadWorld.outageProperties) { UploadWorld(.outage) }
        try check.ask("subscription and uploads", SubscriptionUploadsWorld.properties) { SubscriptionUploadsWorld() }
        try check.ask("subscription and uploads, steady", SubscriptionUploadsWorld.steadyProperties) {
            SubscriptionUploadsWorld(steady: true)
        }
        for view in [CameraSessionsView.live, .time, .record] {
            let world = CameraSessionsWorld(view)
            try check.ask("camera and sessions, \(view)", world.properties) { world }
        }
        try check.ask("camera and sessions, calm", CalmCameraSessions.properties) { CalmCameraSessions(.time) }
        for name in check.wanted.subtracting(check.found.union(["independent"])).sorted() {
            print("no property\t\(name)")
        }
        for name in check.restating.sorted() { print("restates\t\(name)") }
        print("done")
    }

    /// What is asked along walks, and of facts that come late, restates nothing.
    mutating func ask(_ subject: Subject) throws {
        found.formUnion(subject.promises)
        let asked = subject.promises.filter {
            !failed.contains($0) && (wanted.isEmpty || wanted.contains($0) || wanted.contains("independent"))
        }
        if asked.isEmpty { return }
        for (promise, complaint) in try subject.check().verdicts where asked.contains(promise) {
            guard let complaint, failed.insert(promise).inserted else { continue }
            print("fails\t\(promise)\t\(subject.name)\t1")
            print(complaint)
        }
    }

    /// Whether a property is asked.
    func asks<M: World>(_ property: Property<M>) -> Bool {
        wanted.isEmpty || wanted.contains(property.name) || wanted.contains("independent") && !property.restates
    }

    mutating func ask<M: World>(_ name: String, _ properties: [Property<M>], of make: () throws -> M) throws {
        let isEnough = wanted.isSubset(of: failed.union(["independent"])) && !failed.isSubset(of: wanted)
        if !wanted.isEmpty, isEnough { return }
        let open = properties.filter { asks($0) && !failed.contains($0.name) }
        found.formUnion(properties.map(\.name))
        restating.formUnion(properties.filter { $0.restates && asks($0) }.map(\.name))
        if open.isEmpty { return }
        let world = try make()
        let graph = try Graph(world, limit: 200_000)
        for property in open {
            guard case .fails(let path) = property.verdict(on: graph, of: world) else { continue }
            failed.insert(property.name)
            print("fails\t\(property.name)\t\(name)\t\(path.steps.count + path.cycle.count)")
            print(property.complaint(on: graph, of: world) ?? "")
        }
    }
}
