internal import XML

extension DeviceClient {
    /// What the device says that it is.
    package func information() async throws(ONVIFError) -> DeviceInformation {
        DeviceInformation(try await ask(Operation("GetDeviceInformation", of: .device)))
    }

    /// The profiles of the device, with the service that told them: the one of version 2 where the device has it, since version 1
    /// has no word for H.265. Throws where neither answers. `boundMs`: a shorter bound for all of it.
    package func profiles(
        within boundMs: Int64 = .max
    ) async throws(ONVIFError) -> (profiles: [MediaProfile], service: DeviceServices.Kind) {
        let begin = ContinuousClock.now
        if place(of: .media2) != nil {
            do {
                let operation = Operation("GetProfiles", of: .media2, content: "<t:Type>All</t:Type>")
                let profiles = MediaProfile.read(try await ask(operation, within: boundMs))
                if !profiles.isEmpty { return (profiles, .media2) }
            } catch  where error.kind == .unauthorized || error.kind == .unreachable {
                throw error
            } catch {
                // Some firmware names the service and does not have it: version 1 is asked.
            }
        }
        let operation = Operation("GetProfiles", of: .media)
        return (MediaProfile.read(try await ask(operation, within: Self.left(of: boundMs, since: begin))), .media)
    }

    /// Where the stream of a profile is; nil where the device names no address of RTSP. `boundMs`: a shorter bound for the answer.
    package func stream(
        of profile: MediaProfile, by service: DeviceServices.Kind, within boundMs: Int64 = .max
    ) async throws(ONVIFError) -> StreamAddress? {
        let token = XMLNode.escaped(profile.token)
        let content =
            service == .media2
            ? "<t:Protocol>RTSP</t:Protocol><t:ProfileToken>\(token)</t:ProfileToken>"
            : "<t:StreamSetup><tt:Stream>RTP-Unicast</tt:Stream><tt:Transport><tt:Protocol>RTSP</tt:Protocol></tt:Transport>"
                + "</t:StreamSetup><t:ProfileToken>\(token)</t:ProfileToken>"
        let response = try await ask(Operation("GetStreamUri", of: service, content: content), within: boundMs)
        return StreamAddress(response, schemes: ["rtsp", "rtsps"], dialled: address.host)
    }

    /// Where a picture of a profile is; nil where the device names no address of HTTP.
    package func snapshot(of profile: MediaProfile, by service: DeviceServices.Kind) async throws(ONVIFError)
        -> StreamAddress?
    {
        let content = "<t:ProfileToken>\(XMLNode.escaped(profile.token))</t:ProfileToken>"
        let response = try await ask(Operation("GetSnapshotUri", of: service, content: content))
        return StreamAddress(response, schemes: ["http", "https"], dialled: address.host)
    }
}
