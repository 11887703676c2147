internal import Explorer

extension Subject {
    /// Everything that is explored, everyday views first.
    public static func all() throws -> [Subject] { try camera() + session() + subscription() + upload() }

    private static func camera() -> [Subject] {
        var subjects: [Subject] = []
        for (views, isLarge) in [(CameraConfiguration.everyday, false), (CameraConfiguration.large, true)] {
            for view in views {
                let promises = CameraProperties.all(view) + CameraProperties.witnesses(view) + CameraProperties.ways(view)
                subjects.append(Subject("Camera-\(view.name)", CameraWorld(view), isLarge: isLarge, promises))
            }
        }
        for view in CameraConfiguration.calm {
            subjects.append(Subject("Camera-\(view.name).calm", CalmCamera(view), CameraProperties.calm(view)))
        }
        for view in CameraConfiguration.largeCalm {
            subjects.append(
                Subject("Camera-\(view.name).calm", CalmCamera(view), isLarge: true, CameraProperties.calm(view)))
        }
        return subjects
    }

    private static func session() throws -> [Subject] {
        let world = SessionWorld(.all)
        return [
            Subject("Session", world, SessionWorld.properties + SessionWorld.cases),
            Subject("Session-preview", SessionWorld(.preview), SessionWorld.properties),
            Subject("Session-playback", SessionWorld(.playback), SessionWorld.properties),
            Subject(
                "Session.calm", SessionWorld(.calm, from: try Graph(world).states, of: world), SessionWorld.calmProperties),
            Subject("Session.withoutExtension", SessionWorld(.withoutExtension), SessionWorld.unextendedProperties),
        ]
    }

    private static func subscription() -> [Subject] {
        [
            Subject(
                "Subscription", SubscriptionWorld(), SubscriptionWorld.properties + SubscriptionWorld.antecedents),
            Subject(
                "Subscription.steady", SubscriptionWorld(steady: true),
                SubscriptionWorld.properties + SubscriptionWorld.steadyProperties),
        ]
    }

    private static func upload() -> [Subject] {
        [
            Subject("Upload", UploadWorld(), UploadWorld.properties + UploadWorld.antecedents),
            Subject("Upload.live", UploadWorld(live: true), UploadWorld.properties + UploadWorld.liveProperties),
        ]
    }
}
