public import VigilKit

/// What a person is told of a camera's plan: words for each of the six states, and where the plan is managed.
public func planWords(_ vigil: Vigil, camera: String) async throws -> (words: String, link: String?) {
    let cloud = try await vigil.cloud(of: [camera])
    guard let plan = cloud.cameras.first else {
        return ("Nothing of this camera goes to the cloud.", nil)
    }
    let words =
        switch plan.state {
        case .noService: "There is no plan. What is recorded stays at home."
        case .noData: "The plan is active. Nothing is stored yet."
        case .validData: "The plan is active. \(plan.clips) clips are stored."
        case .expiredNoData: "The plan has ended, and nothing is stored any more."
        case .expiredData:
            "The plan has ended. What is stored goes on \(plan.deletedAt?.rfc3339 ?? "a day to come")."
        case .loadFailed:
            "The plan cannot be loaded: \(plan.why ?? "no reason was told"). What was known holds on."
        }
    // Why nothing is sent although there is a plan: the store's refusal, for instance.
    return (words + (cloud.why.map { " " + $0 } ?? ""), plan.manageUrl)
}

/// Asks the provider for news, and waits half a minute at most for its answer.
public func refreshPlan(_ vigil: Vigil, camera: String) async throws -> CloudStatus.Camera? {
    let before = try await vigil.refreshCloud(of: [camera]).cameras.first
    for _ in 0..<60 {
        let now = try await vigil.cloud(of: [camera]).cameras.first
        guard now?.loaded == before?.loaded, now?.why == before?.why else { return now }
        try await Task.sleep(for: .milliseconds(500))
    }
    return before
}

/// The newest day of the last year with something in the cloud.
public func newestCloudDay(_ vigil: Vigil, camera: String, upTo today: CalendarDay) async throws -> CloudDay? {
    var (year, month, _) = today.parts
    for _ in 0..<12 {
        let days = try await vigil.cloudDays(camera: camera, year: year, month: month)
        if let day = days.last { return day }
        (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
    }
    return nil
}

/// What a day has: its clips for the timeline, and its newest events with their pictures for the list.
public func contents(_ vigil: Vigil, camera: String, of day: CloudDay) async throws -> (
    slices: [CloudSlice], events: [(event: CloudEvent, picture: [UInt8]?)]
) {
    var filter = CloudFilter(from: day.from, to: day.to)
    filter.order = .newest
    filter.limit = 50
    let slices = try await vigil.cloudSlices(camera: camera, filter)
    var events: [(event: CloudEvent, picture: [UInt8]?)] = []
    for event in try await vigil.cloudEvents(camera: camera, filter) {
        // Without the store there is a list without pictures.
        let picture =
            event.hasPicture ? try? await vigil.cloudPicture(camera: camera, event: event.id) : nil
        events.append((event, picture))
    }
    return (slices, events)
}

/// Plays an event and goes on to the end of its day, until `show` is false.
public func playEvent(
    _ vigil: Vigil, camera: String, _ event: CloudEvent, of day: CloudDay,
    show: (Frame, CloudPlayback) async throws -> Bool
) async throws {
    try await vigil.withCloudPlayback(camera: camera) { playback in
        try await playback.start(event, of: day)
        for try await frame in playback.frames {
            guard try await show(frame, playback) else { break }
        }
        try await playback.stop()
    }
}

/// Holds, goes on with sound, and takes a picture, as the buttons of a player do.
public func press(_ playback: CloudPlayback) async throws -> Picture? {
    try await playback.pause()
    let picture = try await playback.snapshot(width: 640)
    try await playback.resume()
    await playback.mute(false)
    return picture
}

/// Keeps what is shown while `body` runs as a movie, which `sink` gets piece by piece; gives from when to when it is.
public func keep(
    _ playback: CloudPlayback, into sink: @Sendable ([UInt8]) async throws -> Void, while body: () async throws -> Void
) async throws -> CloudPlayback.Kept? {
    try await playback.startKeeping()
    try await body()
    return try await playback.stopKeeping(sink: sink)
}

/// What a person is told when something could not be had, and whether it is worth another try.
public func words(for error: VigilError) -> (words: String, tryAgain: Bool) {
    switch error {
    case .refused(let refusal) where refusal.kind == .unavailable:
        // The store does not give it now. Days, clips and events are listed all the same.
        ("\(refusal.why). \(refusal.remedy)", true)
    case .refused(let refusal):
        // A clip that was deleted meanwhile, or a right that the token has not.
        ("\(refusal.why). \(refusal.remedy)", false)
    default:
        // The recorder cannot be reached.
        (error.description, true)
    }
}
