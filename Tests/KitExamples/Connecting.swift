public import Foundation
public import VigilKit
internal import VigilURLSession

/// The cameras that a token may see, and what each is doing.
public func listCameras(at address: URL, token: String) async throws -> [String] {
    let vigil = Vigil(url: address, token: token)
    let states = try await vigil.states()
    return states.map { "\($0.camera): \($0.coverage.rawValue), \($0.why)" }
}

/// Follows what happens, until `wants` is false; gives where one can go on later.
public func follow(
    _ vigil: Vigil, after: String? = nil, while wants: (JournalRecord) -> Bool
) async throws -> String? {
    for try await item in vigil.journal(priority: "info", after: after) {
        guard case .record(let record, let id) = item else { continue }
        guard wants(record) else { return id }
    }
    return nil
}

/// Saves the newest picture of a camera, and the one of a moment.
public func takePictures(_ vigil: Vigil, camera: String, at moment: WallTime) async throws -> [Data] {
    let now = try await vigil.livePicture(camera: camera)
    let then = try await vigil.picture(camera: camera, at: moment)
    return [Data(now.jpeg), Data(then.jpeg)]
}

/// Changes a policy only if nobody else has changed it meanwhile.
public func rename(_ vigil: Vigil, policy name: String, description: String) async throws -> PolicyText? {
    let policy = try await vigil.policy(name: name)
    let text = policy.text + "description: \(description)\n"
    guard try await vigil.checkPolicy(text: text).valid else { return nil }
    return try await vigil.applyPolicy(name: name, text: text, expectedRevision: policy.revision)
}
