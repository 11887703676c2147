internal import Catalog
internal import Foundation
internal import Hashing
internal import Machines
internal import Media

/// What must hold in a description before anything is computed from it.
extension ClipDescription {
    /// The most objects of a track.
    package static let objectsMax = 100_000
    /// The most events of a clip.
    static let eventsMax = 10_000
    /// The most zones of an event.
    static let zonesMax = 256
    /// The most labels of an event: more than it can have.
    static let labelsMax = 64
    /// The last moment that a time may name: 9999-12-31T23:59:59.999Z.
    static let lastMs: Int64 = 253_402_300_799_999
    /// The most bytes of a track file: four pebibytes, so that sums of a few cannot overflow.
    static let trackBytesMax: Int64 = 1 << 52

    /// - Throws: the first key that is wrong.
    func check() throws(Defect) {
        guard ClipPaths(camera: camera, startWallMs: 0, token: "0") != nil else {
            throw Self.json.defect("camera", "is no name of a camera")
        }
        try Self.json.check(bootID, "bootId", bytes: 1...64)
        try Self.json.check(policy, "policy", bytes: 0...256)
        try Self.json.check(policyRevision, "policyRevision", bytes: 0...256)
        try Self.moment(startMonotonicMs, "startMonotonicMs")
        try Self.moment(endMonotonicMs, "endMonotonicMs")
        // The wall clock may be set back while a clip is recorded.
        try Self.moment(startWallMs, "startWallMs")
        try Self.moment(endWallMs, "endWallMs")
        guard startMonotonicMs <= endMonotonicMs else {
            throw Self.json.defect("endMonotonicMs", "is before startMonotonicMs")
        }
        guard (ended == nil ? 0 : 1)...TrackKind.allCases.count ~= tracks.count else {
            throw Self.json.defect("tracks", "has \(tracks.count) entries, and a clip has one or two tracks")
        }
        guard events.count <= Self.eventsMax else {
            throw Self.json.defect("events", "has more than \(Self.eventsMax) entries")
        }
        guard Set(tracks.map(\.kind)).count == tracks.count else {
            throw Self.json.defect("tracks", "has two of one kind")
        }
        try encryption?.check()
        var names = Set<String>()
        for (place, track) in tracks.enumerated() {
            let isEncrypted = encryption != nil
            try track.check("tracks[\(place)]", isOpen: ended == nil, isEncrypted: isEncrypted, &names)
        }
        for (place, event) in events.enumerated() { try event.check("events[\(place)]") }
    }

    fileprivate static func moment(_ ms: Int64, _ key: String) throws(Defect) {
        guard (0...lastMs).contains(ms) else { throw json.defect(key, "is not 0 to \(lastMs) milliseconds") }
    }

    fileprivate static func digest(_ text: String, _ key: String) throws(Defect) {
        guard SHA256.Value(hex: text.utf8) != nil else {
            throw json.defect(key, "is no SHA-256 in hexadecimal")
        }
    }
}

extension ClipDescription.Track {
    /// What is sent of an open clip may be nothing yet.
    fileprivate func check(
        _ key: String, isOpen: Bool, isEncrypted: Bool, _ names: inout Set<String>
    ) throws(Defect) {
        typealias Clip = ClipDescription
        guard CloudKeys.isName(codec) else { throw Clip.json.defect("\(key).codec", "is no codec string") }
        if !isOpen || !sha256.isEmpty { try Clip.digest(sha256, "\(key).sha256") }
        guard (isOpen ? 0 : 1)...Clip.trackBytesMax ~= bytes else {
            throw Clip.json.defect("\(key).bytes", "is \(bytes), not 1 to \(Clip.trackBytesMax)")
        }
        try Clip.moment(durationMs, "\(key).durationMs")
        for (side, name) in [(width, "width"), (height, "height")] {
            guard let side else { continue }
            guard (1...65_535).contains(side) else { throw Clip.json.defect("\(key).\(name)", "is not 1 to 65535") }
        }
        guard objects.count <= Clip.objectsMax else {
            throw Clip.json.defect("\(key).objects", "has more than \(Clip.objectsMax) entries")
        }
        guard isEncrypted || encryptedIndex == nil else {
            throw Clip.json.defect("\(key).encryptedIndex", "is there, and the clip is not encrypted")
        }
        try checkObjects(key, bytes: isEncrypted ? try checkEncrypted(key) : bytes, &names)
        try checkIndex("\(key).\(isEncrypted ? "encryptedIndex" : "index")")
    }

    /// The objects follow one another, and have so many bytes together.
    private func checkObjects(_ key: String, bytes: Int64, _ names: inout Set<String>) throws(Defect) {
        typealias Clip = ClipDescription
        var end: Int64 = 0
        for (place, object) in objects.enumerated() {
            let key = "\(key).objects[\(place)]"
            guard CloudKeys.isName(object.name) else {
                throw Clip.json.defect("\(key).name", "is no name of an object")
            }
            guard names.insert(object.name).inserted else { throw Clip.json.defect("\(key).name", "stands twice") }
            try Clip.digest(object.sha256, "\(key).sha256")
            guard object.firstByte == end else {
                throw Clip.json.defect("\(key).firstByte", "is not \(end), where the object before ends")
            }
            guard object.bytes > 0, object.bytes <= bytes - end else {
                throw Clip.json.defect("\(key).bytes", "is \(object.bytes), and the track has \(bytes - end) more")
            }
            end += object.bytes
        }
        guard end == bytes else {
            throw Clip.json.defect("\(key).objects", "have \(end) bytes together, and the track has \(bytes)")
        }
    }

    /// The index can be read, its fragments follow one another, and each lies in one object.
    private func checkIndex(_ key: String) throws(Defect) {
        typealias Clip = ClipDescription
        let index: FragmentIndex
        do { index = try FragmentIndex(decoding: encryptedIndex ?? self.index) } catch {
            throw Clip.json.defect(key, "is no fragment index")
        }
        if let flaw = index.flaw { throw Clip.json.defect(key, "has a flaw: \(flaw)") }
        guard index.headerBytes > 0 else { throw Clip.json.defect(key, "has no header") }
        guard let first = objects.first else {
            guard index.entries.isEmpty else {
                throw Clip.json.defect(key, "has fragments, and the track has no object")
            }
            return
        }
        guard index.headerBytes <= UInt64(clamping: first.bytes) else {
            throw Clip.json.defect(key, "has a header that is longer than the first object")
        }
        var (object, before) = (0, UInt64(0))
        for entry in index.entries {
            while object < objects.count, entry.offset >= UInt64(clamping: objects[object].endByte) { object += 1 }
            guard object < objects.count, entry.endOffset <= UInt64(clamping: objects[object].endByte) else {
                throw Clip.json.defect(key, "has a fragment that lies in no object, or in two")
            }
            guard entry.decodeTime >= before else { throw Clip.json.defect(key, "has times that go back") }
            before = entry.decodeTime
        }
    }
}

extension ClipDescription.Object {
    /// The byte after its last, in the track file; saturates.
    public var endByte: Int64 {
        let (sum, overflow) = firstByte.addingReportingOverflow(bytes)
        return overflow ? .max : sum
    }
}

extension ClipDescription.Event {
    fileprivate func check(_ key: String) throws(Defect) {
        typealias Clip = ClipDescription
        try Clip.json.check(bootID, "\(key).bootId", bytes: 1...64)
        try Clip.json.check(cause, "\(key).cause", bytes: 1...256)
        try Clip.moment(beganMonotonicMs, "\(key).beganMonotonicMs")
        try Clip.moment(beganWallMs, "\(key).beganWallMs")
        if let endedWallMs { try Clip.moment(endedWallMs, "\(key).endedWallMs") }
        if let why { try Clip.json.check(why, "\(key).why", bytes: 1...64) }
        guard (0...Int(Int32.max)).contains(detections) else {
            throw Clip.json.defect("\(key).detections", "is not 0 to \(Int32.max)")
        }
        guard zones.count <= Clip.zonesMax else {
            throw Clip.json.defect("\(key).zones", "has more than \(Clip.zonesMax) entries")
        }
        // The catalog keeps them as lines; an empty one is the part outside every zone.
        for zone in zones { try Clip.json.check(zone, "\(key).zones", bytes: 0...256) }
        if let picture, !CloudKeys.isName(picture) {
            throw Clip.json.defect("\(key).picture", "is no name of an object")
        }
        guard labels?.count ?? 0 <= Clip.labelsMax else {
            throw Clip.json.defect("\(key).labels", "has more than \(Clip.labelsMax) entries")
        }
        for (number, label) in (labels ?? []).enumerated() { try label.check("\(key).labels[\(number)]") }
    }
}

extension ClipDescription.Label {
    fileprivate func check(_ key: String) throws(Defect) {
        guard LabelName.isValid(label) else {
            throw ClipDescription.json.defect("\(key).label", "is not 1 to 32 letters, digits, - and _")
        }
        try ClipDescription.moment(atMonotonicMs, "\(key).atMonotonicMs")
        try ClipDescription.moment(atWallMs, "\(key).atWallMs")
        guard box?.isInside ?? true else {
            throw ClipDescription.json.defect("\(key).box", "does not lie in the picture")
        }
    }
}
