import Testing

@testable import ONVIF
@testable import XML

@Suite("Channels of a device")
struct ChannelTests {
    /// Profiles of version 2 of the media service; each is its token, its video source, its configuration and its encoding.
    func profiles(_ all: [(token: String, source: String?, configuration: String, encoding: String)]) throws
        -> [MediaProfile]
    {
        let nodes = all.map { one in
            let source = one.source.map {
                "<VideoSource token=\"\(one.configuration)\"><SourceToken>\($0)</SourceToken></VideoSource>"
            }
            return """
                <Profiles token="\(one.token)"><Configurations>\(source ?? "")<VideoEncoder><Encoding>\(one.encoding)\
                </Encoding></VideoEncoder><Analytics token="a-\(one.configuration)"/></Configurations></Profiles>
                """
        }
        return MediaProfile.read(
            try XMLNode.parse(Array("<r>\(nodes.joined())</r>".utf8), within: SOAPAnswer.bounds))
    }

    private func message(_ topic: String, _ items: [String: String]) throws -> DeviceNotification {
        let source = items.map { "<SimpleItem Name=\"\($0)\" Value=\"\($1)\"/>" }.joined()
        let text = """
            <r><NotificationMessage><Topic>tns1:\(topic)</Topic><Message><Message PropertyOperation="Changed"><Source>\(source)\
            </Source><Data/></Message></Message></NotificationMessage></r>
            """
        return try #require(
            DeviceNotification.read(try XMLNode.parse(Array(text.utf8), within: SOAPAnswer.bounds)).first)
    }

    /// Whom of three channels a message is about. Each configuration has the token of another channel's source.
    private func concerned(_ topic: String, _ items: [String: String]) throws -> [String] {
        let channels = DeviceChannels(
            try profiles([
                ("p1", "1", "2", "H264"), ("p2", "2", "3", "H264"), ("p3", "3", "1", "H265"), ("p4", "3", "1", "H264"),
            ]))
        #expect(channels.recorded == ["1", "2", "3"] && channels.areSeveral)
        let message = try message(topic, items)
        return channels.recorded.filter { DeviceChannel.one($0, of: channels).concerns(message) }
    }

    @Test("A message is about the channel that it names, by whichever token, and else about none")
    func concerns() throws {
        let (alarm, rule) = ("VideoSource/MotionAlarm", "RuleEngine/CellMotionDetector/Motion")
        #expect(try concerned(alarm, ["Source": "2"]) == ["2"])
        #expect(try concerned(alarm, ["VideoSourceToken": "3"]) == ["3"])
        #expect(try concerned(rule, ["VideoSourceConfigurationToken": "1", "Rule": "2"]) == ["3"])
        #expect(try concerned(rule, ["VideoSourceConfigurationToken": "2"]) == ["1"])
        #expect(try concerned(rule, ["VideoAnalyticsConfigurationToken": "a-3"]) == ["2"])
        // A token of a kind that it should not be of counts, where no other is of that kind.
        #expect(try concerned(alarm, ["Source": "a-1"]) == ["3"])
        #expect(try concerned(alarm, ["Source": "p1"]) == ["1"])
        for items in [[:], ["Source": "4"], ["Source": ""], ["Rule": "1"], ["Else": "1"]] {
            #expect(try concerned(alarm, items) == [])
        }
        #expect(try concerned("Device/Trigger/DigitalInput", ["InputToken": "2"]) == ["1", "2", "3"])
    }

    @Test("A device with one channel is all of it; several are told apart also where Vigil records one alone")
    func several() throws {
        let one = DeviceChannels(
            try profiles([("a", "s", "c", "H264"), ("b", "s", "c", "H265"), ("c", nil, "", "H264")]))
        #expect(one.recorded == ["s"] && !one.areSeveral)
        #expect(DeviceChannel.only.concerns(try message("VideoSource/MotionAlarm", ["Source": "else"])))
        let other = DeviceChannels(try profiles([("a", "s", "c", "H264"), ("b", "t", "d", "JPEG")]))
        #expect(other.recorded == ["s"] && other.areSeveral)
        #expect(!DeviceChannels([]).areSeveral && DeviceChannels([]).recorded == [])
    }
}
