/// What is looked for in policies that cannot mean, or probably do not mean, what they say. The raw value is the rule's name
/// in every listing.
public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
    /// The initial duration is longer than the max event length at some time of the week.
    case initialOutlastsMax = "initial-outlasts-max"
    /// After an event the camera is blind for longer than the event can last.
    case blindOutlastsEvent = "blind-outlasts-event"
    /// Even a movement that goes on never makes an event reach its max length.
    case maxNeverReached = "max-never-reached"
    /// One prolonging alone exceeds the max event length.
    case augmentationOutlastsMax = "augmentation-outlasts-max"
    /// Pre-roll from a camera that is not connected before the event.
    case preRollOnDemand = "pre-roll-on-demand"
    /// A pre-roll that the ring cannot hold at the measured bit rate.
    case preRollRing = "pre-roll-ring"
    /// A schedule entry that lies in the hour that is skipped when clocks go forward.
    case scheduleSkipped = "schedule-skipped"
    /// A schedule entry that begins twice in the night in which clocks go back.
    case scheduleRepeated = "schedule-repeated"
    /// A schedule entry that begins or ends within the hour that is skipped.
    case scheduleShifted = "schedule-shifted"
    /// A schedule entry that sets nothing.
    case entryEmpty = "entry-empty"
    /// A schedule entry of which later ones override everything at all times.
    case entryOverridden = "entry-overridden"
    /// A policy that records at no time of the week.
    case neverRecords = "never-records"
    /// Keys of the cloud section that have nothing to say about, because of what is sent.
    case cloudInVain = "cloud-in-vain"
    /// A policy that no camera follows.
    case unused
    /// Movement can count nowhere in the picture, or not in a zone that is named.
    case zoneNeverPasses = "zone-never-passes"
    /// Ages of recordings that the disk cannot hold at the measured rate.
    case retentionDisk = "retention-disk"
    /// A camera's quota that is full before its recordings have the age that is promised.
    case retentionQuota = "retention-quota"
    /// Quotas of the cameras that together exceed the site's.
    case quotaSite = "quota-site"

    /// How bad it is as a rule; where both are possible, the meaning says when.
    public var severity: String {
        switch self {
        case .initialOutlastsMax, .preRollRing, .scheduleSkipped, .scheduleRepeated, .retentionDisk: "error"
        case .blindOutlastsEvent, .zoneNeverPasses: "error or warning"
        case .maxNeverReached, .augmentationOutlastsMax, .preRollOnDemand, .scheduleShifted, .entryEmpty,
            .entryOverridden, .neverRecords, .cloudInVain, .unused, .retentionQuota, .quotaSite:
            "warning"
        }
    }

    /// What it looks for and what it means, one sentence; a line of the reference.
    var meaning: String {
        switch self {
        case .initialOutlastsMax: "`initial` is longer than `maxEventLength`, at some moment of the week."
        case .blindOutlastsEvent:
            "Of a movement that goes on, more is missed by `blind` than the event records. A warning where recording is continuous."
        case .maxNeverReached: "Even while something moves all the time an event ends before its `maxEventLength`."
        case .augmentationOutlastsMax: "One further movement always fills the event up to its `maxEventLength`."
        case .preRollOnDemand: "`preRoll` with `connection: onDemand`: there is no picture from before the event."
        case .preRollRing: "`preRoll` at the measured bit rate is more than the memory for it holds."
        case .scheduleSkipped:
            "An entry lies within the hour that is skipped when clocks go forward: that day it never begins."
        case .scheduleRepeated: "An entry begins twice, with a hole in between, when clocks go back."
        case .scheduleShifted:
            "An entry begins or ends within the hour that is skipped: that day it does so at the jump."
        case .entryEmpty: "A schedule entry changes nothing."
        case .entryOverridden: "Later entries override everything that a schedule entry says, whenever it holds."
        case .neverRecords: "The mode is off at every time of the week."
        case .cloudInVain:
            "`cloud` says something about clips that are not sent: `live`, `encode` or `keepLocal` with `upload: none`, `levels` or `causes` with `upload: all`, `levels` without events of detections."
        case .unused: "No camera follows the policy."
        case .zoneNeverPasses:
            "Masks, or zones that leave nothing outside, let no movement count; a warning where another zone still does."
        case .retentionDisk:
            "At the rate measured over the last days, the recordings of the promised age do not fit the disk."
        case .retentionQuota: "At the measured rate `maxSize` is full before recordings have the promised age."
        case .quotaSite: "`maxSize` of all cameras of the policy together exceeds `storage.maxSize`."
        }
    }
}
