internal import Media
internal import Server

extension DaemonSite {
    func snapshot(of subject: SnapshotSubject, _ wish: PictureWish) async throws -> [UInt8] {
        if case .camera(let camera, _) = subject { try await check(camera) }
        let options = SnapshotOptions(widthMax: wish.width ?? SnapshotWidth.standard, heightMax: 2_160)
        return try await Blocking.pictures.run { [snapshots = Snapshots(lookup, pool)] in
            try snapshots.jpeg(of: subject, options, isWhole: wish.isWhole)
        }
    }
}
