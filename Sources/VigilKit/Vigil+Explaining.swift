internal import HTTPTypes
public import Wire

extension Vigil {
    /// Why a camera was or was not recorded at a moment.
    public func why(camera: String, at moment: WallTime) async throws -> WhyAnswer {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/why", query: [("at", moment.rfc3339)]).answer
    }

    /// What a policy would have recorded.
    public func simulate(_ command: SimulateRequest) async throws -> [SimulateAnswer] {
        try await ask(.post, "/v1/simulate", body: command).answer
    }

    /// What each sensitivity and max event length would have recorded.
    public func ladder(camera: String, from: WallTime, to: WallTime, asEvents: Bool) async throws -> LadderAnswer {
        try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/ladder",
            query: [("from", from.rfc3339), ("to", to.rfc3339), ("asEvents", asEvents ? "true" : nil)]
        ).answer
    }
}
