internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Server
internal import Synchronization

extension DaemonSite {
    func metrics() async throws -> [Metric] {
        let usage = try await Blocking.run { [catalog] in try catalog.usage() }
        let size = try await Blocking.run { [catalog] in catalog.fileBytes }
        let health = await health()
        return siteMetrics(usage, catalogBytes: size, isHealthy: health.ok) + cameraMetrics()
            + [records.metric] + mqtt.metrics
    }

    private func siteMetrics(_ usage: [Usage], catalogBytes: Int64, isHealthy: Bool) -> [Metric] {
        var build = Metric(.gauge, "vigil_build_info", "The version of Vigil that runs; the value is 1.")
        build.add(1, ("version", version))
        var start = Metric(.gauge, "vigil_start_time_seconds", "When the daemon started, seconds since 1970.")
        start.add(Double(clock.wallMs() - (clock.now() - started)) / 1_000)
        var healthy = Metric(
            .gauge, "vigil_healthy", "Whether the daemon does its work: 1, or 0 as /v1/health explains.")
        healthy.add(isHealthy ? 1 : 0)
        let report = storage.report
        var state = Metric(
            .gauge, "vigil_storage_state", "What the storage can do at present: 1 for the state it is in.")
        state.add(report.storage.rawValue, of: Storage.allCases.map(\.rawValue), as: "state")
        var free = Metric(.gauge, "vigil_storage_free_bytes", "Room left in the file system of the storage.")
        free.add(Double(report.freeBytes))
        var bytes = Metric(.gauge, "vigil_storage_clip_bytes", "What closed clips take in the storage.")
        var clips = Metric(.gauge, "vigil_storage_clips", "Clips in the storage, those being written included.")
        for one in usage {
            bytes.add(Double(one.bytes), ("camera", one.camera), ("class", one.mediaClass.rawValue))
            clips.add(Double(one.clips), ("camera", one.camera), ("class", one.mediaClass.rawValue))
        }
        var catalog = Metric(.gauge, "vigil_catalog_bytes", "Size of the catalog's database and its log.")
        catalog.add(Double(catalogBytes))
        var listening = Metric(.gauge, "vigil_listener_up", "Whether the daemon takes requests there.")
        for listener in listeners.all {
            listening.add(listener.state == .listening ? 1 : 0, ("address", listener.address))
        }
        var overdue = Metric(
            .gauge, "vigil_hang_ups_overdue", "Connections to cameras that were hung up and have not ended.")
        overdue.add(Double(pool.dials.overdueCount(at: clock.now(), of: { _ in true })))
        return [build, start, healthy, state, free, bytes, clips, catalog, listening, overdue] + limitMetrics()
    }

    private func limitMetrics() -> [Metric] {
        var metrics: [Metric] = []
        for limit in limits.states {
            let unit = limit.name == "memory" ? "_bytes" : ""
            var used = Metric(.gauge, "vigil_\(limit.name)_used\(unit)", "What the process uses of its \(limit.name).")
            used.add(Double(limit.used))
            var most = Metric(
                .gauge, "vigil_\(limit.name)_limit\(unit)", "What the process may use of its \(limit.name).")
            most.add(Double(limit.limit))
            metrics += [used, most]
        }
        return metrics
    }

    private func cameraMetrics() -> [Metric] {
        var table = CameraMetrics()
        for camera in pool.all { table.add(camera, state(of: camera)) }
        return table.all
    }
}

/// The metrics that there are of each camera.
private struct CameraMetrics {
    private var coverage = Metric(
        .gauge, "vigil_camera_coverage", "The label of the present second: 1 for the one that holds.")
    private var link = Metric(.gauge, "vigil_camera_link", "The state of the link: 1 for the one it is in.")
    private var enabled = Metric(.gauge, "vigil_camera_enabled", "Whether the recording toggle is on.")
    private var event = Metric(.gauge, "vigil_camera_event_active", "Whether an event is active.")
    private var bytes = Metric(.counter, "vigil_camera_received_bytes_total", "Bytes of frames that came of a stream.")
    private var frames = Metric(.counter, "vigil_camera_received_frames_total", "Frames that came of a stream.")
    private var repaired = Metric(
        .counter, "vigil_camera_repaired_frames_total", "Frames of the main stream whose times were repaired.")
    private var damaged = Metric(
        .counter, "vigil_camera_damaged_frames_total", "Frames of the main stream that packets were missing from.")
    private var viewers = Metric(.gauge, "vigil_camera_viewers", "How many look at the camera.")
    private var ringBytes = Metric(.gauge, "vigil_camera_ring_bytes", "What the ring of the pre-roll holds.")
    private var ringLimit = Metric(.gauge, "vigil_camera_ring_limit_bytes", "What the ring of the pre-roll may hold.")
    private var ringSeconds = Metric(
        .gauge, "vigil_camera_ring_seconds", "How much media the ring of the pre-roll holds.")
    private var detectorFrames = Metric(
        .counter, "vigil_camera_detector_frames_total",
        "Frames of the stream that the detector watches, by what became of them: decoded, skipped (not needed), dropped (for want of time)."
    )
    private var detectorTime = Metric(
        .counter, "vigil_camera_detector_cpu_seconds_total", "Processor time of decoding and detection.")
    private var impaired = Metric(
        .gauge, "vigil_camera_picture_impaired", "Whether the picture shows nothing that can be watched, by condition.")

    /// Every metric, in order.
    var all: [Metric] {
        [
            coverage, link, enabled, event, bytes, frames, repaired, damaged, viewers, ringBytes, ringLimit,
            ringSeconds,
            detectorFrames, detectorTime, impaired,
        ]
    }

    mutating func add(_ camera: CameraRuntime, _ state: CameraState) {
        let name = ("camera", camera.name)
        let labels = Coverage.allCases.filter { $0 != .deleted }.map(\.rawValue)
        coverage.add(state.coverage.rawValue, of: labels, as: "label", name)
        link.add(state.link, of: Link.Phase.allCases.map(\.rawValue), as: "state", name)
        enabled.add(state.enabled ? 1 : 0, name)
        event.add(state.event == nil ? 0 : 1, name)
        for stream in StreamName.allCases {
            guard let seen = camera.shell.streams.seen(stream) else { continue }
            bytes.add(Double(seen.bytes), name, ("stream", stream.rawValue))
            frames.add(Double(seen.frames), name, ("stream", stream.rawValue))
        }
        repaired.add(Double(camera.shell.repairedFrames.load(ordering: .relaxed)), name)
        damaged.add(Double(state.damagedFrames), name)
        viewers.add(Double(state.viewers), name)
        if let ring = state.ring {
            ringBytes.add(Double(ring.bytes), name)
            ringLimit.add(Double(ring.limitBytes), name)
            ringSeconds.add(Double(ring.durationMs) / 1_000, name)
        }
        addDetector(camera, name)
    }

    private mutating func addDetector(_ camera: CameraRuntime, _ name: (String, String)) {
        let view = camera.shell.detector.view
        guard view.isOn else { return }
        let (fed, decoded, dropped) = (Double(view.cost.fed), Double(view.cost.decoded), Double(view.cost.dropped))
        let skipped: Double = fed - decoded - dropped
        detectorFrames.add(decoded, name, ("fate", "decoded"))
        detectorFrames.add(dropped, name, ("fate", "dropped"))
        detectorFrames.add(max(0, skipped), name, ("fate", "skipped"))
        let spentNs: Double = Double(view.cost.decodingNs) + Double(view.cost.detectionNs)
        detectorTime.add(spentNs / 1e9, name)
        let conditions = Set(view.conditions.keys.map(\.rawValue))
        for condition in ["frozen", "covered", "moved"] {
            impaired.add(conditions.contains(condition) ? 1 : 0, name, ("condition", condition))
        }
    }
}
