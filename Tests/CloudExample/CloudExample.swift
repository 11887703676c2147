import Foundation
import KitExamples
import VigilKit
import VigilURLSession

/// Runs the examples of the library's page on the cloud at a daemon, for Tests/cloud/run --app, and prints what a person would
/// see: one line of JSON for each thing.
///
///     cloud-example ADDRESS FOLDER VERB CAMERA [WORD …]          with the token in the environment as VIGIL_TOKEN
@main
struct CloudExample {
    let vigil: Vigil
    let folder: URL
    let camera: String
    let words: [String]

    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count >= 4, let address = URL(string: words[1]),
            let token = ProcessInfo.processInfo.environment["VIGIL_TOKEN"]
        else {
            FileHandle.standardError.write(
                Data("cloud-example ADDRESS FOLDER VERB CAMERA [WORD …], VIGIL_TOKEN\n".utf8))
            exit(2)
        }
        let example = CloudExample(
            vigil: Vigil(url: address, token: token), folder: URL(fileURLWithPath: words[2]), camera: words[4],
            words: Array(words.dropFirst(4)))
        do {
            switch words[3] {
            case "plan": try await example.plan()
            case "day": try await example.day()
            case "play": try await example.play()
            case "download": try await example.download()
            case "send": try await example.send()
            case "clear": example.say(["lines": try await clearQueue(example.vigil, camera: example.camera)])
            default: exit(2)
            }
        } catch let error as VigilError {
            let told = KitExamples.words(for: error)
            example.say(["error": told.words, "tryAgain": told.tryAgain])
            exit(1)
        }
    }

    /// Prints a line.
    func say(_ line: [String: Any]) {
        guard let data = try? JSONSerialization.data(withJSONObject: line, options: [.sortedKeys]) else { return }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }

    /// What is told of the plan, after the provider was asked.
    private func plan() async throws {
        let plan = try await refreshPlan(vigil, camera: camera)
        let (words, link) = try await planWords(vigil, camera: camera)
        say([
            "state": plan?.state.rawValue ?? "", "words": words, "link": link ?? "",
            "planEnd": plan?.planEnd?.rfc3339 ?? "", "deletedAt": plan?.deletedAt?.rfc3339 ?? "",
        ])
    }

    /// The newest day, what it has, and the events' pictures as files.
    private func day() async throws {
        let day = try await newest()
        let (slices, events) = try await contents(vigil, camera: camera, of: day)
        for (event, picture) in events {
            try picture.map { try Data($0).write(to: folder.appendingPathComponent("event-\(event.id).jpg")) }
        }
        say([
            "day": day.day, "from": day.from.rfc3339, "to": day.to.rfc3339, "storedMs": day.storedMs,
            "events": day.events, "slices": slices.map(\.clip), "listed": events.map(\.event.id),
        ])
    }

    private func newest() async throws -> CloudDay {
        let now = Int32(clamping: Int(Date().timeIntervalSince1970) / 86_400 + 1)
        guard let today = CalendarDay(number: now),
            let day = try await newestCloudDay(vigil, camera: camera, upTo: today)
        else { throw CocoaError(.fileNoSuchFile) }
        return day
    }

    /// Plays the day's first event to the end of the day, and presses every button on the way.
    private func play() async throws {
        let day = try await newest()
        guard let event = try await contents(vigil, camera: camera, of: day).events.last?.event else { return }
        say(["event": event.start.ms])
        var (player, last): (CloudPlayback?, Int64?)
        var (isPressed, holes) = (false, 0)
        try await playEvent(vigil, camera: camera, event, of: day) { frame, playback in
            player = playback
            let isVideo = frame.format.codec.isVideo
            say(["at": frame.time.ms, "kind": isVideo ? "video" : "audio", "begins": frame.isDiscontinuous])
            if isVideo {
                if frame.isDiscontinuous, last != nil { holes += 1 }
                if frame.isDiscontinuous, holes == 1 {
                    // Behind the first hole: faster, and kept from there on.
                    try await playback.session.speed(4)
                    say(["keeps": try await playback.startKeeping()?.ms ?? 0])
                } else if frame.isDiscontinuous, holes > 1 {
                    say(["speed": try await playback.session.info().speed ?? 0])
                }
                last = frame.time.ms
            }
            if !isPressed, frame.time.ms > event.start.ms + 1_000 {
                isPressed = true
                try await pressAll(playback)
            }
            return true
        }
        let end = try await player?.session.info()
        say(["phase": end?.phase ?? "", "holes": holes])
        let file = try file(named: "kept.mp4")
        let kept = try await player?.stopKeeping { try file.write(contentsOf: Data($0)) }
        try file.close()
        say(["keptFrom": kept?.from.ms ?? 0, "keptTo": kept?.to.ms ?? 0, "skipped": kept?.skipped ?? ""])
    }

    private func pressAll(_ playback: CloudPlayback) async throws {
        try await playback.pause()
        let held = try await playback.position()
        // No fact ends a pause: it shows by what does not change meanwhile.
        try await Task.sleep(for: .seconds(1))
        say(["held": held?.ms ?? 0, "stillHeld": try await playback.position()?.ms ?? 1])
        try await playback.resume()
        let picture = try await press(playback)
        try Data(picture?.jpeg ?? []).write(to: folder.appendingPathComponent("snapshot.jpg"))
        say([
            "snapshot": picture?.time?.ms ?? 0, "after": try await playback.position()?.ms ?? 0,
            "muted": await playback.isMuted,
        ])
    }

    private func file(named name: String) throws -> FileHandle {
        let url = folder.appendingPathComponent(name)
        try Data().write(to: url)
        return try FileHandle(forUpdating: url)
    }

    /// Downloads the day's first clip; while it is under way its second; then goes on with the first, and gives another up.
    private func download() async throws {
        let day = try await newest()
        let slices = try await contents(vigil, camera: camera, of: day).slices
        guard slices.count >= 2 else { return }
        let downloads = Downloads(vigil, pieceBytes: Downloads.pieceBytes.lowerBound)
        let (first, second) = (try file(named: "first.mp4"), try file(named: "second.mp4"))
        let stopped = LastProgress()
        let older = Task {
            try await save(slices[0], of: camera, with: downloads, into: first) { progress in
                await stopped.note(progress)
                // It takes no more until the newer one, which finds it under way, cancels it.
                let (nothing, end) = AsyncStream.makeStream(of: Never.self)
                for await _ in nothing {}
                end.finish()
                try Task.checkCancellation()
            }
        }
        let begun = try await stopped.first()
        let newer = try await save(slices[1], of: camera, with: downloads, into: second) { progress in
            say(["newer": progress.fraction])
        }
        say(["of": "second", "clip": slices[1].clip, "end": name(newer), "wanted": range(slices[1])])
        say(["of": "older", "end": name(try await older.value), "bytes": begun.bytes, "size": begun.size])
        // An app keeps it as JSON, and may be started anew meanwhile.
        let stored = try JSONDecoder().decode(DownloadProgress.self, from: JSONEncoder().encode(begun))
        let resumed = LastProgress()
        let end = try await save(slices[0], of: camera, with: downloads, into: first, after: stored) { progress in
            await resumed.note(progress)
        }
        say([
            "of": "first", "clip": slices[0].clip, "end": name(end), "wanted": range(slices[0]),
            "resumedAt": try await resumed.first().bytes, "pieceBytes": Downloads.pieceBytes.lowerBound,
        ])
        let third = try file(named: "third.mp4")
        let cancelled = try await save(slices[0], of: camera, with: downloads, into: third) { _ in
            await downloads.cancel()
        }
        say(["of": "third", "end": name(cancelled)])
        for file in [first, second, third] { try file.close() }
    }

    private func range(_ slice: CloudSlice) -> [String] { [slice.start.rfc3339, slice.end.rfc3339] }

    private func name(_ end: DownloadEnd) -> String {
        switch end {
        case .done: "done"
        case .superseded: "superseded"
        case .cancelled: "cancelled"
        }
    }

    /// Sends the clip that is named, with a note; once more, it is refused.
    private func send() async throws {
        guard words.count == 2, let clip = Int64(words[0]) else { exit(2) }
        say(["url": try await KitExamples.send(vigil, clip: clip, note: words[1])])
        say(["again": try await KitExamples.send(vigil, clip: clip, note: words[1])])
    }
}

/// The progress of a download, for another task.
actor LastProgress {
    private var noted: DownloadProgress?
    private var waiting: CheckedContinuation<DownloadProgress, Never>?

    func note(_ progress: DownloadProgress) {
        if noted == nil { waiting?.resume(returning: progress) }
        noted = noted ?? progress
    }

    /// The first that was noted.
    func first() async throws -> DownloadProgress {
        if let noted { return noted }
        return await withCheckedContinuation { waiting = $0 }
    }
}
