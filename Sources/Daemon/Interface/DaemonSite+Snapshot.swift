internal import Media
internal import Server

extension DaemonSite {
    func snapshot(of subject: SnapshotSubject, width: Int?) async throws -> [UInt8] {
        if case .camera(let camera, _) = subject { try await check(camera) }
        let options = SnapshotOptions(widthMax: width ?? SnapshotWidth.standard, heightMax: 2_160)
        return try await Blocking.pictures.run { [snapshots = Snapshots(catalog: catalog, lookup: lookup)] in
            try snapshots.jpeg(of: subject, options)
        }
    }
}
