internal import HTTPTypes
public import Wire

extension Vigil {
    /// What an export would hold.
    public func exportPlan(camera: String, from: WallTime, to: WallTime) async throws -> PlannedExport {
        try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/export/plan",
            query: [("from", from.rfc3339), ("to", to.rfc3339)]
        ).answer
    }

    /// A JPEG of what was recorded: of the part of the picture that is shown of the camera, or the whole picture.
    public func snapshot(of subject: SnapshotSubject, width: Int?, isWhole: Bool = false) async throws -> [UInt8] {
        let wish = Self.wish(width, isWhole)
        let response =
            switch subject {
            case .event(let id): try await send(.get, "/v1/events/\(id)/snapshot", query: wish)
            case .camera(let camera, let moment):
                try await send(
                    .get, "/v1/cameras/\(Percent.encode(camera))/snapshot", query: [("at", moment?.rfc3339)] + wish)
            }
        return try await collect(response)
    }

    /// What of an export is not as it was recorded.
    public struct ExportDamage: Hashable, Sendable {
        /// The clips that were left out because they cannot be read, with the reasons; nil: none.
        public let skipped: String?
        /// What is zeros because it could not be read, with the reasons; nil: nothing.
        public let damaged: String?
    }

    /// Hands the bytes of an export to `sink` in order; gives what of it is missing or damaged. Throws ``VigilError/brokenOff(address:reason:)``
    /// where not all bytes came.
    @discardableResult
    public func export(
        camera: String, from: WallTime, to: WallTime, sink: ([UInt8]) async throws -> Void
    ) async throws -> ExportDamage {
        let response = try await send(
            .get, "/v1/cameras/\(Percent.encode(camera))/export", query: [("from", from.rfc3339), ("to", to.rfc3339)],
            fields: [("TE", "trailers")])
        var tail: [UInt8] = []
        for try await bytes in response.body {
            tail = Array((tail + bytes.suffix(DamageNote.bytesMax)).suffix(DamageNote.bytesMax))
            try await sink(bytes)
        }
        return ExportDamage(skipped: response.field("Vigil-Skipped"), damaged: DamageNote.read(tail))
    }
}
