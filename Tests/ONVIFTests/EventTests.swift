import Testing

@testable import ONVIF
@testable import XML

@Suite("Events of a device")
struct EventTests {
    private func message(
        _ topic: String, _ operation: String, _ value: String, item: String = "State", source: String = "s"
    ) -> String {
        """
        <wsnt:NotificationMessage><wsnt:Topic Dialect="d"> tns1:\(topic) </wsnt:Topic><wsnt:Message><tt:Message UtcTime="x" \
        PropertyOperation="\(operation)"><tt:Source><tt:SimpleItem Name="\(topic.contains("Input") ? "InputToken" : "Source")" \
        Value="\(source)"/></tt:Source><tt:Data><tt:SimpleItem Name="\(item)" Value="\(value)"/></tt:Data></tt:Message></wsnt:Message>\
        </wsnt:NotificationMessage>
        """
    }

    private func read(_ messages: String...) throws -> [DeviceNotification] {
        DeviceNotification.read(
            try XMLNode.parse(Array("<r>\(messages.joined())</r>".utf8), within: SOAPAnswer.bounds))
    }

    @Test("A message is read with its topic, its source and its state")
    func read() throws {
        let read = try #require(
            try read(message("RuleEngine/tns1:CellMotionDetector/Motion", "Changed", "true", item: "IsMotion")).first)
        #expect(read.topic == "RuleEngine/CellMotionDetector/Motion" && read.change == .changed)
        #expect(read.source == ["Source": "s"] && read.data == ["IsMotion": "true"])
        #expect(
            try self.read("<NotificationMessage/>", "<NotificationMessage><Topic>a</Topic></NotificationMessage>")
                .isEmpty)
    }

    /// What becomes of messages, in order.
    private func facts(_ messages: String...) throws -> [DeviceSources.Fact?] {
        var sources = DeviceSources()
        return try messages.flatMap { try read($0) }.map { sources.take($0) }
    }

    @Test("Movement, tampering and inputs are sources that go on and off")
    func sources() throws {
        #expect(
            try facts(
                message("VideoSource/MotionAlarm", "Changed", "true"),
                message("VideoSource/MotionAlarm", "Changed", "0"))
                == [.on("onvif-motion"), .off("onvif-motion")])
        #expect(
            try facts(message("VideoSource/GlobalSceneChange/ImagingService", "Changed", "1")) == [.on("onvif-tamper")])
        #expect(
            try facts(message("Device/Trigger/DigitalInput", "Changed", "true", item: "LogicalState", source: "door"))
                == [.on("onvif-input-door")])
        #expect(
            try facts(
                message("Device/Trigger/DigitalInput", "Changed", "true", item: "LogicalState", source: "Doorbell"),
                message("RuleEngine/MyRuleDetector/Visitor", "Changed", "true"),
                message("RuleEngine/MyRuleDetector/Visitor", "Changed", "false"))
                == [.on("doorbell"), .on("doorbell"), nil])
        #expect(try facts(message("Device/HardwareFailure/FanFailure", "Changed", "true")) == [nil])
        #expect(try facts(message("VideoSource/MotionAlarm", "Changed", "perhaps")) == [nil])
    }

    @Test("A state that is told at the begin begins nothing; it confirms what is on, and ends what is off")
    func initialized() throws {
        let name = "VideoSource/MotionAlarm"
        #expect(try facts(message(name, "Initialized", "true"), message(name, "Changed", "false")) == [nil, nil])
        #expect(
            try facts(
                message(name, "Changed", "true"), message(name, "Initialized", "true"),
                message(name, "Initialized", "false"))
                == [.on("onvif-motion"), .on("onvif-motion"), .off("onvif-motion")])
        #expect(
            try facts(message(name, "Changed", "true"), message(name, "Deleted", "true")) == [
                .on("onvif-motion"), .off("onvif-motion"),
            ])
    }

    @Test("A source is on while one of the topics that tell of it is")
    func united() throws {
        let (alarm, rule) = ("VideoSource/MotionAlarm", "RuleEngine/CellMotionDetector/Motion")
        #expect(
            try facts(
                message(alarm, "Changed", "true"), message(rule, "Changed", "true", item: "IsMotion"),
                message(alarm, "Changed", "false"),
                message(rule, "Changed", "false", item: "IsMotion"))
                == [.on("onvif-motion"), .on("onvif-motion"), nil, .off("onvif-motion")])
    }

    @Test("No more properties are known than a bound, and what is on can be forgotten")
    func bounds() throws {
        var sources = DeviceSources()
        for number in 0..<(DeviceSources.propertiesMax + 10) {
            for one in try read(
                message("Device/Trigger/DigitalInput", "Changed", "true", item: "LogicalState", source: "\(number)"))
            {
                _ = sources.take(one)
            }
        }
        #expect(sources.names.count == DeviceSources.propertiesMax)
        sources.forget("onvif-input-0")
        #expect(!sources.names.contains("onvif-input-0") && sources.names.count == DeviceSources.propertiesMax - 1)
    }

    @Test("The wait after failures grows to a bound")
    func wait() {
        #expect([0, 1, 2, 8].map(DeviceEvents.wait) == [1_000, 2_000, 4_000, 256_000])
        #expect(
            DeviceEvents.wait(after: 9) == DeviceEvents.againMsMax
                && DeviceEvents.wait(after: .max) == DeviceEvents.againMsMax)
    }

    @Test("A place to pull from is asked on the host that was dialled (H9)")
    func place() throws {
        let answer = try XMLNode.parse(
            Array(
                "<r><SubscriptionReference><Address>http://evil:1/s?Idx=1&amp;x=2</Address></SubscriptionReference></r>"
                    .utf8))
        let device = try #require(ServiceAddress("http://cam:81/onvif/device_service"))
        let point = try #require(PullPoint(answer, on: device))
        #expect(point.address.description == "http://cam:81/s?Idx=1&x=2")
        let header = point.header(for: Operation("PullMessages", of: .events, action: "urn:pull"))
        #expect(header.contains(">http://evil:1/s?Idx=1&amp;x=2</a:To>") && header.contains(">urn:pull</a:Action>"))
    }

    @Test("What a device wants to have back comes back in the head of each request, up to a bound")
    func reference() throws {
        let device = try #require(ServiceAddress("http://10.0.0.7/onvif/device_service"))
        func point(_ parameters: String) throws -> PullPoint? {
            let text = """
                <r xmlns:a='http://www.w3.org/2005/08/addressing' xmlns:v='urn:vendor'><SubscriptionReference>
                <a:Address>http://10.0.0.7/events</a:Address><a:ReferenceParameters>\(parameters)</a:ReferenceParameters>
                </SubscriptionReference></r>
                """
            return PullPoint(try XMLNode.parse(Array(text.utf8), within: SOAPAnswer.bounds), on: device)
        }
        let header = try #require(try point("<v:SubscriptionId>1&amp;2</v:SubscriptionId>"))
            .header(for: Operation("PullMessages", of: .events))
        let sent = try XMLNode.parse(Array("<h>\(header)</h>".utf8)).child("SubscriptionId")
        #expect(sent?.namespace == "urn:vendor" && sent?.text == "1&2")
        #expect(sent?.attributes == ["IsReferenceParameter": "true"])
        #expect(try point("<v:Id>\(String(repeating: "x", count: PullPoint.parametersMax))</v:Id>") == nil)
        // A namespace that each of many elements would declare: 40,000 times 100 kB.
        let many = String(repeating: "<n:a/>", count: 40_000)
        #expect(try point("<x xmlns:n='\(String(repeating: "u", count: 100_000))'>\(many)</x>") == nil)
    }
}
