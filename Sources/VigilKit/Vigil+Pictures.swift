internal import HTTPTypes
public import Wire

/// A JPEG, and when what it shows was.
public struct Picture: Hashable, Sendable {
    /// The file.
    public let jpeg: [UInt8]
    /// When its frame came from the camera; nil where the daemon does not say.
    public let time: WallTime?
}

extension Vigil {
    /// What a camera can show, and what can be asked of it.
    public func capabilities(camera: String) async throws -> CameraCapabilities {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/capabilities").answer
    }

    /// The days of a month (1…12) with media or events, in the site's time zone.
    public func days(camera: String, year: Int, month: Int) async throws -> [DayInfo] {
        let text = "\(year)-\(month < 10 ? "0" : "")\(month)"
        return try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/days", query: [("month", text)]
        ).answer
    }

    /// The very frame that was shown at a moment, at most `width` pixels wide (16…3840): of the part of the picture that is shown of
    /// the camera, or the whole picture.
    public func picture(
        camera: String, at moment: WallTime, width: Int? = nil, isWhole: Bool = false
    ) async throws -> Picture {
        try await picture(camera, "picture", [("at", moment.rfc3339)] + Self.wish(width, isWhole))
    }

    /// What a camera shows now: its newest key frame, waited for ten seconds at most. Of the part of the picture that is shown of the
    /// camera, or the whole picture.
    public func livePicture(
        camera: String, stream: LiveStream = .main, width: Int? = nil, isWhole: Bool = false
    ) async throws -> Picture {
        try await picture(camera, "live.jpg", [("stream", stream.rawValue)] + Self.wish(width, isWhole))
    }

    /// The parameters that say how a picture is wanted.
    static func wish(_ width: Int?, _ isWhole: Bool) -> [(String, String?)] {
        [("width", width.map { String($0) }), ("whole", isWhole ? "true" : nil)]
    }

    /// A small picture for each 15 s of the hour (of UTC) in which a moment lies, in one JPEG; the map says what is where.
    public func thumbnails(camera: String, hour: WallTime) async throws -> (map: ThumbnailMap, jpeg: [UInt8]) {
        let map: ThumbnailMap = try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/thumbnails.json", query: [("hour", hour.rfc3339)]
        ).answer
        return (map, try await picture(camera, "thumbnails", [("hour", hour.rfc3339)]).jpeg)
    }

    private func picture(_ camera: String, _ name: String, _ query: [(String, String?)]) async throws -> Picture {
        let response = try await send(.get, "/v1/cameras/\(Percent.encode(camera))/\(name)", query: query)
        let time = response.field("Vigil-At").flatMap { WallTime(rfc3339: $0) }
        return Picture(jpeg: try await collect(response), time: time)
    }
}
