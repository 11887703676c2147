import Media
import Testing

@testable import ONVIF

/// Devices that say the password they were given.
@Suite("What a device says of its login", .serialized)
struct EchoedSecretTests {
    @Test(
        "is told without the password, however it is written (H9)",
        arguments: ["Sunflower-42", "SUNFLOWER-42", "%53unflower%2D42", "U3VuZmxvd2VyLTQy", "YWRtaW46U3VuZmxvd2VyLTQy"])
    func hidden(echo: String) async throws {
        let device = try ScriptedDevice { _, _ in
            .body(
                "<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>no \(echo) here</s:Text></s:Reason></s:Fault>"
            )
        }
        let address = try #require(ServiceAddress("http://127.0.0.1:\(device.port)/d"))
        let client = DeviceClient(
            address: address, credential: CameraCredential(user: "admin", password: "Sunflower-42"))
        let error = await #expect(throws: ONVIFError.self) { try await client.connect() }
        await client.shutdown()
        #expect(error?.cause.contains("no *** here") == true, "\(error?.cause ?? "nothing")")
    }
}
