internal import Machines
internal import Policies
internal import Server

extension DaemonSite {
    func areas(camera: String) async throws -> CameraAreas {
        let loaded = configuration.loaded
        let found = try configured(camera, loaded)
        func told(_ areas: [Configuration.Camera.Area]) -> [CameraAreas.Area] {
            areas.map { area in
                CameraAreas.Area(
                    name: area.name,
                    corners: area.polygon.points.map { [Double($0.x), Double($0.y)].map { $0 / Double(Point.frame) } })
            }
        }
        return CameraAreas(
            camera: camera, path: configuration.path ?? "", revision: loaded.fileRevision, zones: told(found.zones),
            masks: told(found.masks))
    }

    func setAreas(camera: String, _ command: AreasCommand, by caller: Caller) async throws -> CameraAreas {
        let zones = try Self.read(command.zones, most: ZoneMap.zoneLimit, "zones")
        let masks = try Self.read(command.masks, most: Configuration.Camera.maskLimit, "masks")
        do {
            try await Blocking.run { [self] in
                try configuration.write(.caller(caller)) { text, loaded in
                    _ = try configured(camera, loaded)
                    guard loaded.fileRevision == command.expectedRevision else {
                        throw SiteError(
                            .conflict, what: "zones and masks of \(camera)",
                            why: "somebody changed vigil.yaml meanwhile",
                            remedy: "show them again and repeat the change")
                    }
                    return try AreaEditor.set(text, camera: camera, zones: zones, masks: masks)
                }
            }
        } catch let refusal as Refusal {
            throw Self.refused(refusal)
        } catch let problem as EditProblem {
            throw SiteError(
                .conflict, what: "zones and masks of \(camera) were not written", why: Self.words(problem),
                remedy: "change them in vigil.yaml by hand; it is read again by itself")
        } catch let problem as FileProblem {
            throw SiteError(
                problem.kind == .system ? .failed : .conflict,
                what: "zones and masks of \(camera) were not written to \(problem.path)", why: problem.cause,
                remedy: problem.remedy)
        }
        return try await areas(camera: camera)
    }

    private func configured(_ camera: String, _ loaded: LoadedConfiguration) throws -> Configuration.Camera {
        _ = try known(camera)
        if let found = loaded.configuration.camera(camera) { return found }
        throw SiteError(
            .notFound, what: "camera \(camera)", why: "vigil.yaml does not name it any more",
            remedy: "look at the cameras again")
    }

    /// Areas as they are written. Names, numbers and outlines are checked by the loader as well; here only what no file can say.
    private static func read(
        _ areas: [CameraAreas.Area], most: Int, _ kind: String
    ) throws -> [Configuration.Camera.Area] {
        guard areas.count <= most else {
            throw invalid("there are \(areas.count) \(kind)", "give at most \(most)")
        }
        var names: Set<String> = []
        return try areas.map { area in
            guard names.insert(area.name).inserted else {
                throw invalid("two \(kind) have the name \(area.name.prefix(64))", "give each its own name")
            }
            let points = try area.corners.map { corner in
                guard corner.count == 2, corner.allSatisfy((0...1).contains) else {
                    throw invalid(
                        "a corner of \(area.name.prefix(64)) is no [x, y] from 0 to 1",
                        "count from the top left of the picture")
                }
                let frame = Double(Point.frame)
                return Point(x: Int((corner[0] * frame).rounded()), y: Int((corner[1] * frame).rounded()))
            }
            return Configuration.Camera.Area(name: area.name, polygon: Polygon(points))
        }
    }

    private static func invalid(_ why: String, _ remedy: String) -> SiteError {
        SiteError(.invalid, what: "zones and masks", why: why, remedy: remedy)
    }

    private static func words(_ problem: EditProblem) -> String {
        switch problem {
        case .tooInvolved(let keyPath): "\(keyPath) cannot be changed by itself as it is written in vigil.yaml"
        case .unknownKey, .absent, .refused: "\(problem)"
        }
    }
}
