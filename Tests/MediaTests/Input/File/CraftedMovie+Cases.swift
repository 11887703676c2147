@testable import Media

extension CraftedMovie.Track {
    /// The same track, whose tables tell of so many frames.
    func claiming(_ frames: UInt32) -> CraftedMovie.Track {
        var track = self
        (track.claimed, track.durations) = (frames, [(frames, 3_600)])
        return track
    }
}

extension CraftedMovie {
    /// A track of which every number is right.
    static func good(_ video: TestStream) -> Track {
        Track(entry: videoEntry("avc1", box("avcC", video.extradata)), samples: video.samples.prefix(6).map(\.data))
    }

    /// Movies of which every number is allowed by the format's fields and none by good sense.
    static func cases(video: TestStream) -> [(name: String, bytes: [UInt8])] {
        let good = good(video)
        return clocks(good) + offsets(good) + edits(good) + fragmented(good) + sound(good) + tables(good)
            + configurations(good)
    }

    private static func with(_ track: Track, _ change: (inout Track) -> Void) -> [UInt8] {
        var track = track
        change(&track)
        return CraftedMovie(tracks: [track]).bytes
    }

    private static func clocks(_ good: Track) -> [(String, [UInt8])] {
        var cases: [(String, [UInt8])] = [("as it should be", CraftedMovie(tracks: [good]).bytes)]
        for scale: UInt32 in [0, 1, 1 << 31 - 1, 1 << 31, .max] {
            for duration: UInt32 in [0, 1, 1 << 31 - 1, 1 << 31, .max] {
                cases.append(
                    (
                        "\(scale) ticks a second, \(duration) each",
                        with(good) {
                            $0.timescale = scale
                            $0.durations = [(6, duration)]
                        }
                    ))
            }
        }
        return cases + [
            ("more durations than samples", with(good) { $0.durations = [(.max, .max)] }),
            ("durations of nothing", with(good) { $0.durations = [(0, .max), (0, 1)] }),
            (
                "durations that change their mind",
                with(good) {
                    $0.timescale = 1
                    $0.durations = [(1, .max), (1, 1), (1, 1 << 31), (3, 0)]
                }
            ),
            (
                "a duration without end",
                with(good) {
                    $0.duration = .max
                    $0.timescale = 1
                }
            ),
        ]
    }

    private static func offsets(_ good: Track) -> [(String, [UInt8])] {
        let extremes: [UInt32] = [1, 1 << 31 - 1, 1 << 31, .max]
        return [UInt8(0), 1].flatMap { version in
            extremes.map { offset in
                (
                    "composition offset \(offset), version \(version)",
                    with(good) {
                        $0.timescale = 1
                        $0.offsetVersion = version
                        $0.offsets = [(1, 0), (1, offset), (1, 0), (3, offset)]
                    }
                )
            }
        }
    }

    private static func edits(_ good: Track) -> [(String, [UInt8])] {
        let lists: [(String, [Edit])] = [
            ("to the end of time", [Edit(duration: 1, mediaTime: .max)]),
            ("before the begin of time", [Edit(duration: 1, mediaTime: .min)]),
            ("of all time", [Edit(duration: .max, mediaTime: 0)]),
            ("that wait for ever", [Edit(duration: .max / 2, mediaTime: -1), Edit(duration: 1)]),
            (
                "that wait for half of ever",
                [Edit(duration: 1 << 62, mediaTime: -1), Edit(duration: 1, mediaTime: 1 << 62)]
            ),
            ("that stand still", [Edit(duration: 10, mediaTime: 0, rate: 0)]),
            ("that run backwards", [Edit(duration: 10, mediaTime: 0, rate: 0xFFFF_0000)]),
            ("without number", Array(repeating: Edit(duration: .max, mediaTime: 1 << 40), count: 500)),
        ]
        return lists.flatMap { name, list in
            [UInt32(0), 1, 1_000, .max].map { scale in
                var track = good
                track.edits = list
                track.timescale = scale == .max ? 1 : 90_000
                return ("edits \(name), \(scale) a second", CraftedMovie(movieTimescale: scale, tracks: [track]).bytes)
            }
        }
    }

    private static func fragmented(_ good: Track) -> [(String, [UInt8])] {
        let times: [(String, [UInt64])] = [
            ("at the largest signed time", [UInt64(Int64.max)]),
            ("at the smallest signed time", [1 << 63]),
            ("at the largest time", [.max]),
            ("from now to half of ever", [0, 1 << 62, 0, 1 << 62]),
            ("from now to ever", [0, UInt64(Int64.max) - 8_000, 0]),
            ("from ever back to now", [UInt64(Int64.max) - 8_000, 0, 7_200]),
            ("around the turn", [1 << 63 - 1, 1 << 63, 1 << 63 + 1]),
            ("in geological times", (0..<12).map { 1 << (40 + $0) }),
            ("at zero, again and again", [0, 0, 0, 0, 0]),
        ]
        var cases = times.flatMap { name, times in
            [UInt32(1), 90_000, .max].map { scale in
                var track = good
                track.timescale = scale
                let fragments = times.map { Fragment(decodeTime: $0) }
                return (
                    "fragments \(name), \(scale) a second",
                    CraftedMovie(tracks: [track], fragments: fragments).bytes
                )
            }
        }
        var slow = good
        slow.timescale = 1
        let runs: [(String, [Fragment])] = [
            ("with the longest samples", Array(repeating: Fragment(duration: .max), count: 4)),
            ("with the earliest presentation", [Fragment(offset: 1 << 31), Fragment(decodeTime: 1, offset: 1 << 31)]),
            ("with the latest presentation", [Fragment(offset: .max, version: 0), Fragment(decodeTime: 9)]),
            ("of nothing", [Fragment(samples: 0), Fragment(duration: 0)]),
            ("with data before the file", [Fragment(dataOffset: 1 << 31)]),
            ("with data behind the file", [Fragment(dataOffset: 1 << 31 - 1)]),
            ("with samples of 4 GB", [Fragment(size: .max)]),
            ("without samples' bytes", [Fragment(size: 0)]),
        ]
        cases += runs.map { ("fragments \($0)", CraftedMovie(tracks: [slow], fragments: $1).bytes) }
        let index =
            u32(1) + u32(1) + u64(.max) + u64(.max) + u16(0) + u16(2) + (u32(.max) + u32(.max) + u32(.max))
            + (u32(1 << 31 - 1) + u32(.max) + u32(0))
        cases.append(
            (
                "an index of times that never were",
                CraftedMovie(
                    tracks: [slow], fragments: [Fragment(), Fragment(decodeTime: 7_200)], defaultDuration: .max,
                    before: full("sidx", version: 1, index)
                ).bytes
            ))
        return cases
    }

    private static func sound(_ good: Track) -> [(String, [UInt8])] {
        let packets = (0..<8).map { [UInt8](repeating: UInt8($0), count: 320) }
        let aac = { (configuration: [UInt8]) in soundEntry("mp4a", rate: 8_000, esds(configuration)) }
        let opus = box("dOps", [0, 255, 0xFF, 0xFF] + u32(.max) + [0x80, 0x00, 255])
        let entries: [(String, [UInt8])] = [
            ("µ-law of no channel", soundEntry("ulaw", channels: 0, rate: 8_000)),
            ("µ-law of all channels", soundEntry("ulaw", channels: .max, rate: 8_000)),
            ("A-law without rate", soundEntry("alaw", rate: 0)),
            ("PCM at the highest rate", soundEntry("twos", rate: 0xFFFF)),
            ("PCM of no bits", soundEntry("sowt", bits: 0, rate: 8_000)),
            ("PCM of all bits", soundEntry("sowt", bits: .max, rate: 8_000)),
            ("AAC at 1 Hz", aac([0x17, 0x80, 0x00, 0x00, 0x88])),
            ("AAC at no rate", aac([0x17, 0x80, 0x00, 0x00, 0x08])),
            ("AAC at 16 MHz", aac([0x17, 0xFF, 0xFF, 0xFF, 0x88])),
            ("AAC without configuration", aac([])),
            ("AAC of an escaped type", aac([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])),
            ("Opus of 255 channels", soundEntry("Opus", channels: 2, rate: 48_000, opus)),
        ]
        return entries.flatMap { name, entry in
            [UInt32(1), 8_000, .max].map { scale in
                let track = Track(
                    id: 2, handler: "soun", timescale: scale, entry: entry, samples: packets,
                    durations: [(2, .max), (1, 0), (5, 1 << 31)])
                return ("\(name), \(scale) ticks a second", CraftedMovie(tracks: [good, track]).bytes)
            }
        }
    }

    private static func tables(_ good: Track) -> [(String, [UInt8])] {
        [UInt32(1 << 24), 1 << 26, 1 << 28, .max].map { claimed in
            (
                "\(claimed) samples in six bytes",
                with(good) {
                    $0.claimed = claimed
                    ($0.chunks, $0.durations) = ([(1, claimed, 1)], [(claimed, 3_600)])
                }
            )
        } + [
            ("samples of 4 GB", with(good) { $0.sizes = Array(repeating: .max, count: 6) }),
            ("samples of nothing", with(good) { $0.sizes = Array(repeating: 0, count: 6) }),
            ("no samples", with(good) { $0.sizes = [] }),
            ("a chunk before the file", with(good) { $0.place = 1 << 63 }),
            ("a chunk behind everything", with(good) { $0.place = .max }),
            ("a chunk in the header", with(good) { $0.place = 0 }),
            ("chunk 0", with(good) { $0.chunks = [(0, .max, 0)] }),
            ("chunks in no order", with(good) { $0.chunks = [(9, 1, 1), (1, 6, 1), (.max, .max, .max)] }),
            ("sync samples that are not there", with(good) { $0.syncs = [0, .max, 3, 2] }),
            ("track number 0", with(good) { $0.id = 0 }),
            ("the last track number", with(good) { $0.id = .max }),
        ]
    }

    private static func configurations(_ good: Track) -> [(String, [UInt8])] {
        let entries: [(String, [UInt8])] = [
            (
                "avcC that claims 31 sets",
                videoEntry("avc1", box("avcC", [1, 66, 0, 10, 0xFF, 0xFF, 0xFF, 0xFF, 0x67]))
            ),
            ("avcC of one byte", videoEntry("avc1", box("avcC", [1]))),
            (
                "avcC of empty sets",
                videoEntry("avc1", box("avcC", [1, 66, 0, 10, 0xFF, 0xE3, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]))
            ),
            ("no avcC", videoEntry("avc1", [])),
            ("hvcC that claims all arrays", videoEntry("hvc1", box("hvcC", [1] + [UInt8](repeating: 0xFF, count: 40)))),
            ("hvcC of one byte", videoEntry("hvc1", box("hvcC", [1]))),
        ]
        var cases = entries.map { name, entry in (name, with(good) { $0.entry = entry }) }
        cases.append(
            (
                "units longer than anything",
                with(good) { $0.samples = Array(repeating: u32(.max) + [0x65, 0x88], count: 6) }
            ))
        cases.append(
            ("units of no length", with(good) { $0.samples = Array(repeating: u32(0) + u32(0) + [0], count: 6) }))
        let huge = u32(1) + Array("mdat".utf8) + u64(.max)
        cases.append(("a box of 2^64 bytes", CraftedMovie(tracks: [good], before: huge).bytes))
        cases.append(
            (
                "a box of 15 bytes that says 2^63",
                CraftedMovie(tracks: [good]).bytes + u32(1) + Array("moof".utf8) + [0x80, 0, 0]
            ))
        cases.append(
            (
                "boxes in boxes",
                CraftedMovie(tracks: [good], before: (0..<600).reduce([]) { inner, _ in box("moov", inner) }).bytes
            ))
        return cases
    }
}
