import Testing

@testable import Media

@Suite struct AudioConfigurationTests {
    @Test("AudioSpecificConfigs of the usual kinds, with SBR, PS and escaped rates")
    func audioSpecificConfig() throws {
        let cases: [(bytes: [UInt8], codec: String, core: Int, rate: Int, channels: Int, frame: Int)] = [
            ([0x12, 0x10], "mp4a.40.2", 44_100, 44_100, 2, 1024),
            ([0x14, 0x08], "mp4a.40.2", 16_000, 16_000, 1, 1024),
            ([0x15, 0x88], "mp4a.40.2", 8_000, 8_000, 1, 1024),
            ([0x2b, 0x92, 0x08, 0x00], "mp4a.40.5", 22_050, 44_100, 2, 2048),
            ([0x13, 0x90, 0x56, 0xe5, 0xa0], "mp4a.40.5", 22_050, 44_100, 2, 2048),
            ([0xeb, 0x8a, 0x08, 0x00], "mp4a.40.29", 22_050, 44_100, 2, 2048),
            ([0x13, 0x88, 0x56, 0xe5, 0xa5, 0x48, 0x80], "mp4a.40.29", 22_050, 44_100, 2, 2048),
            ([0x17, 0x80, 0x10, 0x91, 0x08], "mp4a.40.2", 8_482, 8_482, 1, 1024),
        ]
        for item in cases {
            let config = try AudioSpecificConfig(item.bytes)
            #expect(config.codec == item.codec)
            #expect(config.coreSampleRate == item.core)
            #expect(config.sampleRate == item.rate)
            #expect(config.channels == item.channels)
            #expect(config.frameSamples == item.frame)
            #expect(config.objectType == 2)
        }
        let delay = try AudioSpecificConfig([0xf8, 0xe8, 0x50, 0x00])
        #expect(delay.codec == "mp4a.40.39")
        #expect(delay.frameSamples == 480)
        #expect(try AudioSpecificConfig(sampleRate: 44_100, channels: 2).bytes == [0x12, 0x10])
        #expect(try AudioSpecificConfig(sampleRate: 12_345, channels: 1).sampleRate == 12_345)
    }

    @Test("What Vigil does not store, or no decoder could, is refused")
    func refused() {
        for bytes: [UInt8] in [
            [], [0x12], [0x00, 0x00], [0xf8, 0x88, 0x50, 0x00], [0x16, 0xf0, 0x00], [0x12, 0x48],
        ] {
            #expect(throws: BitstreamError.self) { try AudioSpecificConfig(bytes) }
        }
        #expect(throws: BitstreamError.self) { try AudioSpecificConfig(sampleRate: 0, channels: 1) }
        #expect(throws: BitstreamError.self) { try AudioSpecificConfig(sampleRate: 48_000, channels: 0) }
    }

    @Test("OpusHead and dOps carry the same; a stream without a header has defaults")
    func opus() throws {
        let head: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xbb, 0, 0, 0xff, 0xff, 0]
        let configuration = try OpusConfiguration(head: head)
        #expect(configuration.preSkip == 312)
        #expect(configuration.inputSampleRate == 48_000)
        #expect(configuration.outputGain == -1)
        #expect(configuration.record == [0, 2, 0x01, 0x38, 0, 0, 0xbb, 0x80, 0xff, 0xff, 0])
        #expect(try OpusConfiguration(specific: configuration.record) == configuration)
        #expect(try OpusConfiguration(channels: 1).record == [0, 1, 0, 0, 0, 0, 0xbb, 0x80, 0, 0, 0])
        let surround: [UInt8] =
            Array("OpusHead".utf8) + [1, 6, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4, 2, 0, 4, 1, 2, 3, 5]
        #expect(try OpusConfiguration(head: surround).mapping == [1, 4, 2, 0, 4, 1, 2, 3, 5])
        #expect(throws: BitstreamError.self) { try OpusConfiguration(head: Array(surround.dropLast())) }
        #expect(throws: BitstreamError.self) { try OpusConfiguration(channels: 3) }
    }
}
