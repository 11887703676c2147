public import Server
internal import Synchronization

extension MemorySite {
    /// The one policy of this world.
    public func policies() async throws -> [PolicySummary] {
        contents.withLock { world in
            world.policies.values.map {
                PolicySummary(
                    name: $0.name, revision: $0.revision, path: $0.path, cameras: world.cameras.keys.sorted(),
                    summary: $0.explanation)
            }
        }
    }

    /// A policy that exists, else `notFound`.
    public func policy(name: String) async throws -> PolicyText {
        try contents.withLock { world in
            guard let policy = world.policies[name] else {
                throw SiteError(
                    .notFound, what: "policy \(name)", why: "there is no such policy",
                    remedy: "`vigil policy list` lists them")
            }
            return policy
        }
    }

    /// What was replaced in this world.
    public func policyVersions(name: String) async throws -> [PolicyVersion] {
        _ = try await policy(name: name)
        return contents.withLock { $0.versions }
    }

    /// The world's policies are good when their first line names them and they say something about recording.
    public func checkPolicy(text: String) async throws -> PolicyCheck {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix("name: ") else {
            let finding = PolicyCheck.Finding(line: 1, reason: "no name", remedy: "begin with name:")
            return PolicyCheck(valid: false, name: nil, explanation: nil, findings: [finding])
        }
        let name = String(first.dropFirst(6))
        guard text.contains("recording:") else {
            let finding = PolicyCheck.Finding(line: lines.count, reason: "no recording", remedy: "add recording:")
            return PolicyCheck(valid: false, name: name, explanation: nil, findings: [finding])
        }
        return PolicyCheck(valid: true, name: name, explanation: "Records around the clock.", findings: [])
    }

    /// The one policy of this world is blind for long.
    public func findings(policy: String?) async throws -> [PolicyCheck.Finding] {
        if let policy { _ = try await self.policy(name: policy) }
        return [
            PolicyCheck.Finding(
                file: "/etc/vigil/policies/shop.yaml", line: 2, column: 3, severity: .error, keyPath: "recording.blind",
                rule: "blind-outlasts-event", reason: "more is missed than recorded", remedy: "shorten blind",
                trace: [PolicyCheck.Finding.Line(at: "60 s", what: "blind")])
        ]
    }

    /// Applies a good text from the expected revision; refuses all else like a real daemon.
    public func applyPolicy(
        name: String, text: String, expectedRevision: String?, by caller: Caller
    ) async throws -> PolicyText {
        guard try await checkPolicy(text: text).valid else {
            throw SiteError(
                .invalid, what: "policy \(name) was not applied", why: "its text is refused",
                remedy: "`vigil policy check` says why")
        }
        return try contents.withLock { world in
            guard world.policies[name]?.revision == expectedRevision else {
                throw SiteError(
                    .conflict, what: "policy \(name) was not applied", why: "it was changed meanwhile",
                    remedy: "edit it again")
            }
            let policy = Self.policyText(text)
            if let old = world.policies[name] {
                world.versions.append(
                    PolicyVersion(revision: old.revision, replaced: MemorySite.origin, text: old.text))
            }
            world.policies[name] = policy
            world.callers.append(caller)
            return policy
        }
    }

    /// The zones and masks of the camera `front`, which has one zone.
    public func areas(camera: String) async throws -> CameraAreas {
        let state = try await state(camera: camera)
        let door = CameraAreas.Area(name: "door", corners: [[0.1, 0.2], [0.4, 0.2], [0.4, 0.9]])
        return CameraAreas(
            camera: state.camera, path: "/etc/vigil/vigil.yaml", revision: "7b0c5d1e2f30", zones: [door], masks: [])
    }

    /// Takes other zones and masks from the expected revision.
    public func setAreas(camera: String, _ command: AreasCommand, by caller: Caller) async throws -> CameraAreas {
        var areas = try await areas(camera: camera)
        guard areas.revision == command.expectedRevision else {
            throw SiteError(
                .conflict, what: "zones and masks of \(camera)", why: "somebody changed vigil.yaml meanwhile",
                remedy: "show them again and repeat the change")
        }
        (areas.zones, areas.masks) = (command.zones, command.masks)
        contents.withLock { $0.callers.append(caller) }
        return areas
    }
}
