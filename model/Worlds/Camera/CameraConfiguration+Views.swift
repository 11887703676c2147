internal import Machines

/// The views, each with the constants of `model/cfg/Camera-NAME.cfg` (a test compares them).
extension CameraConfiguration {
    /// Link answers and toggles, in event mode without detections: the recorder rests.
    public static let link = CameraConfiguration("link.edges", .linkView, [.ev], linkBounds(dial: 1))
    /// The same where the internet is dialled first.
    public static let linkFirst = CameraConfiguration(
        "linkFirst.edges", .linkView, [.ev], linkBounds(dial: 1, .internetFirst))
    /// Every link answer and every intent.
    public static let linkFull = CameraConfiguration("linkFull.edges", .link, [.off, .ev, .onD]) {
        linkBounds(dial: 2)(&$0)
        $0.start = .ev
    }
    /// Detections, command, source and toggles with storage lost: link and recorder rest.
    public static let trigger = CameraConfiguration("trigger.edges", .triggerView, [.ev], triggerBounds)
    /// Every detection, toggle and policy.
    public static let triggerFull = CameraConfiguration("triggerFull.edges", .trigger, [.off, .ev, .evLow, .evA0]) {
        triggerBounds(&$0)
        $0.start = .ev
    }
    /// The clips of events, with the answers of the disk; the link has no deadlines. An event can end while its clip is being opened.
    public static let event = CameraConfiguration("event.edges", .recorderView, [.evShort]) {
        $0.enabled = true
        $0.openBound = 2
    }
    /// The same in continuous mode.
    public static let cont = CameraConfiguration("cont.edges", .recorderView, [.cont]) {
        $0.enabled = true
        $0.hangBound = 1
        $0.clipLength = 2
    }
    /// The clips of events while the toggle and the storage change, and a closing may take long.
    public static let disk = CameraConfiguration("disk", .diskView, [.evShort]) {
        $0.enabled = true
        $0.failMax = 3
        $0.closeBound = 2
        $0.retryCap = 2
    }
    /// The product of all three with all deadlines, under a continuous policy and one that is off.
    public static let product = CameraConfiguration("product.edges", .small, [.cont, .off], smallBounds(keyWarn: 2))
    /// Every answer of disk and link, late and illegal ones too, in event mode.
    public static let eventFull = CameraConfiguration("event.safety", .recorder, [.evShort]) {
        $0.openBound = 2
        $0.failMax = 3
        $0.clipLength = 2
        $0.retryCap = 2
    }
    /// The same in continuous mode.
    public static let contFull = CameraConfiguration("cont.safety", .recorder, [.cont]) {
        $0.clipLength = 2
        $0.retryCap = 2
    }
    /// A continuous policy whose end the schedule tells, and one that is off.
    public static let schedule = CameraConfiguration("schedule.safety", .small, [.contEnd, .off]) {
        $0.rest = 2
        $0.clipLength = 2
    }
    /// The clips of events under a policy whose end the schedule tells.
    public static let eventSchedule = CameraConfiguration("eventSchedule.edges", .recorderView, [.evEnd]) {
        $0.enabled = true
        $0.hangBound = 1
        $0.rest = 2
        $0.clipLength = 2
    }
    /// The same, and a policy that is off.
    public static let eventScheduleFull = CameraConfiguration("eventSchedule.safety", .small, [.evEnd, .off]) {
        $0.rest = 2
        $0.clipLength = 2
    }
    /// A continuous policy and one that the schedule has switched off, each with its end; a due cut may wait three times.
    public static let timetable = CameraConfiguration("timetable", .timetableView, [.contEnd, .offS]) {
        $0.enabled = true
        $0.moreGraces = 2
        $0.rest = 2
        $0.clipLength = 2
    }
    /// The clips of continuous mode, some of which no key frame is there for, over two endpoints that fail now and then.
    public static let anew = CameraConfiguration("anew.edges", .keyframeView, [.cont]) {
        $0.enabled = true
        $0.connect = .auto
        $0.hangBound = 1
        $0.steady = 2
    }
    /// The same with all bounds of the link and its failures.
    public static let keyless = CameraConfiguration("keyless", .keyframeView, [.cont]) {
        linkBounds(dial: 1)(&$0)
        $0.enabled = true
        $0.clipLength = 2
        $0.retryCap = 2
    }
    /// The clips of events where opening, closing and the grace of a cut take two ticks each: something can come between their begin and
    /// their bound.
    public static let slow = CameraConfiguration("slow.edges", .recorderView, [.evShort]) {
        $0.enabled = true
        $0.clipLength = 3
        slowBounds(&$0)
    }
    /// The same in continuous mode.
    public static let slowCont = CameraConfiguration("slowCont.edges", .recorderView, [.cont]) {
        $0.enabled = true
        $0.hangBound = 2
        $0.clipLength = 3
        slowBounds(&$0)
    }
    /// The same in a mode that changes between continuous and event, with every answer of disk and link.
    public static let slowFull = CameraConfiguration("slow.safety", .small, [.cont, .evShort]) {
        $0.clipLength = 3
        slowBounds(&$0)
    }
    /// The clips of a mode that changes between continuous and event.
    public static let mixed = CameraConfiguration("mixed.safety", .small, [.cont, .evShort]) {
        $0.clipLength = 2
    }
    /// The product under an on-demand policy with blind time and a continuous one.
    public static let small = CameraConfiguration("small.safety", .small, [.onD, .cont], smallBounds(keyWarn: 3))
    /// The product under an on-demand policy alone.
    public static let onDemand = CameraConfiguration("onDemand.live", .small, [.onD], smallBounds(keyWarn: 2))
    /// Everything that can happen, with the least bounds.
    public static let everything = CameraConfiguration("product.safety", .product, [.onD, .cont]) {
        smallBounds(keyWarn: 2)(&$0)
        $0.clipLength = 1
    }

    /// What every build checks.
    public static let everyday = [
        link, linkFirst, trigger, event, eventSchedule, cont, anew, slow, slowCont, triggerFull, linkFull, product,
    ]
    /// What a release build checks in addition.
    public static let large = [contFull, eventFull, schedule, eventScheduleFull, mixed, slowFull, onDemand, small]

    /// What must come sooner or later is asked of these, after any history.
    public static let calm = [link, trigger, event, cont]
    /// What holds over a stretch of time is asked of these.
    public static let judged = [link, trigger, event, cont, slow, slowCont]
    /// And of these in a release build.
    public static let largeJudged = [disk, keyless]
    /// And of these in a release build.
    public static let largeCalm = [triggerFull, linkFull, product, onDemand]

    private static func linkBounds(dial: Int, _ connect: DialOrder = .auto) -> (inout CameraConfiguration) -> Void {
        {
            $0.connect = connect
            $0.dial = dial
            $0.silence = 2
            $0.hangBound = 1
            $0.keyWarn = 3
            $0.keyLong = 1
            $0.steady = 3
            $0.waitCap = 2
            $0.failMax = 3
            $0.unauthorized = 3
        }
    }

    private static func slowBounds(_ view: inout CameraConfiguration) {
        view.openBound = 2
        view.closeBound = 2
        view.grace = 2
    }

    private static func triggerBounds(_ view: inout CameraConfiguration) {
        view.storage = .lost
        view.failMax = 3
        view.stale = 2
        view.commandI = 2
        view.commandM = 3
    }

    private static func smallBounds(keyWarn: Int) -> (inout CameraConfiguration) -> Void {
        {
            $0.dial = 1
            $0.silence = 2
            $0.hangBound = 1
            $0.keyWarn = keyWarn
            $0.keyLong = 1
            $0.keyShift = 0
            $0.clipLength = 2
        }
    }
}
