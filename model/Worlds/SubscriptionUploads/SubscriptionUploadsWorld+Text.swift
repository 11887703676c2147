// The notation of model/README.md "SubscriptionUploads".
extension SubscriptionUploadsWorld {
    /// The subscription, then the job.
    public func text(of state: State) -> String {
        "\(plan.text(of: state.plan)) & \(upload.text(of: state.upload))"
    }

    /// The event's name; `u:` stands before one of the job.
    public func text(of event: Event) -> String {
        switch event {
        case .tick: "tick"
        case .plan(let event): plan.text(of: event)
        case .stored: "stored"
        case .job(let event): "u:\(upload.text(of: event))"
        case .restart(let kept): .call("restart", kept ? "kept" : "lost")
        }
    }

    /// The effect's name; `u:` stands before one of the job.
    public func text(of effect: Effect) -> String? {
        switch effect {
        case .plan(let effect): plan.text(of: effect)
        case .job(let effect): upload.text(of: effect).map { "u:\($0)" }
        }
    }
}
