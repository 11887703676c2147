internal import Machines
public import Server
internal import Synchronization

extension MemorySite {
    /// One device with one channel, which tells its streams to whoever names it.
    public func discover(_ command: DiscoverCommand, by caller: Caller) async throws -> [FoundDevice] {
        contents.withLock { $0.callers.append(caller) }
        let address = "http://192.168.1.21/onvif/device_service"
        guard command.address != nil else {
            return [
                FoundDevice(
                    address: address, name: "Garage",
                    problem: FoundDevice.Problem(
                        kind: "unauthorized", why: "GetProfiles: the device asks for a login and none is given",
                        remedy: "name a credential"))
            ]
        }
        return [
            FoundDevice(
                address: address, name: "Garage", model: "Rig 1",
                channels: [
                    FoundDevice.Channel(
                        name: "garage",
                        main: FoundDevice.Stream(
                            address: "rtsp://192.168.1.21/main", encoding: "H264", width: 1920, height: 1080,
                            frameRate: 25,
                            sound: true), sub: nil)
                ])
        ]
    }

    /// The first two bytes of a JPEG and the last two.
    public func picture(_ command: PictureCommand, by caller: Caller) async throws -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xD9]
    }

    /// Knows the name `front` already.
    public func add(_ command: NewCameraCommand, by caller: Caller) async throws -> CameraInfo {
        guard contents.withLock({ $0.cameras[command.name] == nil }) else {
            throw SiteError(
                .conflict, what: "camera \(command.name) was not added", why: "there is a camera of this name",
                remedy: "give it another name")
        }
        contents.withLock { $0.callers.append(caller) }
        return CameraInfo(
            camera: command.name, enabled: true, privacy: Privacy(), policy: command.policy, connect: .auto,
            main: .init(lan: command.main), credential: command.credential)
    }
}
