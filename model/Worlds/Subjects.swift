internal import Explorer

extension Subject {
    /// Everything that is explored, everyday views first.
    public static func all() -> [Subject] {
        camera() + session() + cameraSessions() + subscription() + upload() + subscriptionUploads()
            + transport() + walks() + late()
    }

    private static func cameraSessions() -> [Subject] {
        [CameraSessionsView.live, .time, .record, .recordLive].map { view in
            let world = CameraSessionsWorld(view)
            return Subject("CameraSessions-\(view)", world, size: view.size, world.properties + world.cases)
        } + [
            Subject(
                "CameraSessions-time.calm", CalmCameraSessions(.time), size: .large, CalmCameraSessions.properties)
        ]
    }

    private static func camera() -> [Subject] {
        let sizes: [(views: [CameraConfiguration], size: Size)] = [
            (CameraConfiguration.everyday, .everyday), (CameraConfiguration.large, .large), ([.everything], .huge),
            ([.timetable, .keyless], .large),
        ]
        let calm: [(views: [CameraConfiguration], size: Size)] = [
            (CameraConfiguration.calm, .everyday), (CameraConfiguration.largeCalm, .large),
        ]
        let judged: [(views: [CameraConfiguration], size: Size)] = [
            (CameraConfiguration.judged, .everyday), (CameraConfiguration.largeJudged, .large),
        ]
        return sizes.flatMap { views, size in
            views.map { Subject("Camera-\($0.name)", CameraWorld($0), size: size, CameraProperties.safety($0)) }
        }
            + watchedCamera()
            + calm.flatMap { views, size in
                views.map { Subject("Camera-\($0.name).calm", CalmCamera($0), size: size, CameraProperties.calm($0)) }
            }
            + judged.flatMap { views, size in
                views.map {
                    Subject("Camera-\($0.name).judged", JudgedCamera($0), size: size, JudgedCamera.properties($0))
                }
            }
    }

    /// Cameras with one who watches for one thing.
    private static func watchedCamera() -> [Subject] {
        [
            Subject(
                "Camera-linkFull.endpoints", WatchedCamera<EndpointWatcher>(.linkFull), CameraProperties.endpoints),
            Subject(
                "Camera-linkFirst.endpoints", WatchedCamera<EndpointWatcher>(.linkFirst),
                CameraProperties.endpoints),
            Subject(
                "Camera-keyless.endpoints", WatchedCamera<EndpointWatcher>(.keyless), size: .large,
                CameraProperties.endpoints),
            Subject("Camera-linkFull.dials", WatchedCamera<DialWatcher>(.linkFull), CameraProperties.dials),
            Subject(
                "Camera-triggerFull.sources", WatchedCamera<SourceWatcher>(.triggerFull),
                CameraProperties.sources),
            Subject(
                "Camera-triggerFull.lengths", WatchedCamera<EventWatcher>(.triggerFull),
                CameraProperties.lengths),
            Subject(
                "Camera-triggerFull.blinds", WatchedCamera<BlindWatcher>(.triggerFull), CameraProperties.blinds),
            Subject(
                "Camera-schedule.rests", WatchedCamera<RestWatcher>(.schedule), size: .large,
                CameraProperties.rests),
            Subject(
                "Camera-eventSchedule.rests", WatchedCamera<RestWatcher>(.eventScheduleFull), size: .large,
                CameraProperties.rests),
            Subject(
                "Camera-mixed.owners", WatchedCamera<ClipWatcher>(.mixed), size: .large, CameraProperties.owners),
            Subject(
                "Camera-mixed.cuts", WatchedCamera<CutWatcher>(.mixed), size: .large, CameraProperties.ends),
            Subject(
                "Camera-mixed.keyframes", WatchedCamera<KeyFrameWatcher>(.mixed), size: .large,
                CameraProperties.keyframes),
            Subject(
                "Camera-onDemand.keyframes", WatchedCamera<KeyFrameWatcher>(.onDemand), size: .large,
                CameraProperties.keyframes),
        ]
    }

    private static func session() -> [Subject] {
        let world = SessionWorld(.all)
        return [
            Subject("Session", world, SessionWorld.properties + SessionWorld.cases),
            Subject("Session-preview", SessionWorld(.preview), []),
            Subject("Session-playback", SessionWorld(.playback), []),
            Subject(
                "Session.calm", SessionWorld(.calm, from: try Graph(world).states, of: world),
                SessionWorld.calmProperties),
            Subject("Session.withoutExtension", SessionWorld(.withoutExtension), SessionWorld.unextendedProperties),
            Subject("Session.sounds", WatchedSession<SoundWatcher>(world), SessionWorld.sounds),
            Subject("Session.holes", WatchedSession<HoleWatcher>(world), SessionWorld.holes),
            Subject("Session.ends", WatchedSession<EndWatcher>(world), SessionWorld.ends),
            Subject("Session.times", WatchedSession<TimeWatcher>(world), SessionWorld.times),
        ]
    }

    private static func subscription() -> [Subject] {
        [
            Subject(
                "Subscription", SubscriptionWorld(), SubscriptionWorld.properties + SubscriptionWorld.antecedents),
            Subject("Subscription.ending", SubscriptionWorld.ending, SubscriptionWorld.endingProperties),
            Subject(
                "Subscription.steady", SubscriptionWorld(steady: true),
                SubscriptionWorld.properties + SubscriptionWorld.steadyProperties),
        ]
    }

    private static func upload() -> [Subject] {
        [
            Subject("Upload", UploadWorld(), UploadWorld.properties + UploadWorld.antecedents),
            Subject("Upload-story", UploadWorld(retries: 1, .story), UploadWorld.properties),
            Subject("Upload.live", UploadWorld(.live), UploadWorld.properties + UploadWorld.liveProperties),
            Subject("Upload.outage", UploadWorld(.outage), UploadWorld.properties + UploadWorld.outageProperties),
        ]
    }

    private static func transport() -> [Subject] {
        let (world, calm) = (TransportWorld(), TransportWorld(isCalm: true))
        let edge = TransportWorld(initial: 1, augmentation: 1, max: 3, blind: 0)
        return [
            Subject("Transport", world, world.properties + world.cases),
            Subject("Transport.calm", calm, calm.calmProperties),
            Subject("Transport.edge", edge, edge.properties),
            Subject("Transport.options", TransportWorld.options, TransportWorld.options.properties),
            Subject("Transport.lengths", WatchedTransport<LengthWatcher>(world), TransportWorld.lengths),
            Subject("Transport.blinds", WatchedTransport<QuietWatcher>(world), TransportWorld.blinds),
            Subject("Transport.grounds", WatchedTransport<GroundWatcher>(world), TransportWorld.grounds),
        ]
    }

    private static func subscriptionUploads() -> [Subject] {
        [
            Subject(
                "SubscriptionUploads", SubscriptionUploadsWorld(),
                SubscriptionUploadsWorld.properties + SubscriptionUploadsWorld.cases),
            Subject(
                "SubscriptionUploads.steady", SubscriptionUploadsWorld(steady: true),
                SubscriptionUploadsWorld.properties + SubscriptionUploadsWorld.steadyProperties),
        ]
    }
}
