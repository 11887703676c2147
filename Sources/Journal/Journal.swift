internal import Foundation
internal import Machines
internal import Synchronization
internal import Trace

/// Everything that Vigil says goes through here: one record for one fact, constant words, everything variable in fields.
///
/// It owns the outlets (journald, plain lines) with a bounded queue and one thread each. It never blocks its caller, never
/// throws away silently (losses are counted and reported), and never lets a value from outside forge a field or a line.
/// The daemon makes one and hands it to everybody; see docs/reference/journal.md.
public final class Journal: Sendable {
    let options: JournalOptions
    let boot: BootID?
    let clock = MachineClock()
    let native: RecordQueue?
    /// Per camera, how many records had been lost when its last whole state was written.
    let stateWritten = Mutex<[String: [MachineKind: Int]]>([:])
    /// Gets everything instead of the outlets.
    let observer: (@Sendable (JournalObservation) -> Void)?
    /// Who gets each record besides the outlets.
    private let followers = Mutex<[@Sendable (ToldMessage) -> Void]>([])
    /// Records of each camera in the present minute.
    private let counts = Mutex<[String: MinuteCount]>([:])
    private let lines: RecordQueue?
    private let lineFormat: LineFormat

    /// Opens the outlets that the options name. Nothing fails here: where journald cannot be used, lines go to stderr.
    public init(_ options: JournalOptions) {
        let environment = ProcessInfo.processInfo.environment
        let socket = Self.socket(for: options)
        let wantsLines =
            switch options.output {
            case .lines: true
            case .journald: socket == nil
            case .automatic: socket == nil || StderrLines.isTerminal(descriptor: options.linesDescriptor)
            }
        let format = LineFormat(
            hasPriorityPrefix: StderrLines.isJournalStream(
                descriptor: options.linesDescriptor, environment: environment),
            priorityMax: options.linesPriorityMax)
        let composer = RecordComposer(options: options)
        self.options = options
        boot = try? BootID.current()
        observer = nil
        lineFormat = format
        native = socket.map { socket in
            RecordQueue(outlet: socket, limits: options.limits) { count in
                NativeFormat.encode(composer.fields(.journalLost, fields: [(.count, "\(count)")]))
            }
        }
        lines =
            wantsLines
            ? RecordQueue(outlet: StderrLines(descriptor: options.linesDescriptor), limits: options.limits) { count in
                composer.line(.journalLost, fields: [(.count, "\(count)")], format: format) ?? []
            } : nil
    }

    /// A journal without outlets.
    init(_ options: JournalOptions, observer: @escaping @Sendable (JournalObservation) -> Void) {
        self.options = options
        self.observer = observer
        boot = nil
        native = nil
        lines = nil
        lineFormat = LineFormat(hasPriorityPrefix: false, priorityMax: options.linesPriorityMax)
    }

    /// The id of this run, as in VIGIL_RUN.
    public var run: RandomID { options.run }

    /// How many records were lost since the start, over all outlets. Each loss is told where it was, as `journal-lost`; the sum is
    /// for tests and bench-trace.
    package var lostRecords: Int { (native?.lostEver ?? 0) + (lines?.lostEver ?? 0) }

    /// Records one fact. Never blocks.
    ///
    /// - Parameters:
    ///   - kind: what happened; gives MESSAGE_ID, words and priority.
    ///   - camera: the camera that it is about, for VIGIL_CAMERA.
    ///   - fields: everything variable. Secrets in addresses are removed, long values cut.
    ///   - priority: another priority than the kind's.
    public func send(
        _ kind: MessageKind, camera: String? = nil, fields: [(Field, String)] = [], priority: Priority? = nil
    ) {
        if let camera, kind.isByCamera, !fields.contains(where: { $0.0 == .user || $0.0 == .session }) { note(camera) }
        if let observer { return observer(.record(kind, camera: camera, fields: fields)) }
        let composer = RecordComposer(options: options)
        let clean = composer.clean(fields)
        tell(kind, camera.map(composer.bounded), clean, priority)
        if let native {
            native.send(NativeFormat.encode(composer.fields(kind, camera: camera, fields: clean, priority: priority)))
        }
        if let lines,
            let line = composer.line(kind, camera: camera, fields: clean, priority: priority, format: lineFormat)
        {
            lines.send(line)
        }
    }

    /// Calls `body` with each record from now on, on the thread that says it: it must not block, and send nothing.
    public func follow(_ body: @escaping @Sendable (ToldMessage) -> Void) { followers.withLock { $0.append(body) } }

    /// Tells the followers of a record whose values are clean.
    private func tell(_ kind: MessageKind, _ camera: String?, _ fields: [(Field, String)], _ priority: Priority?) {
        let bodies = followers.withLock { $0 }
        guard !bodies.isEmpty else { return }
        let message = ToldMessage(
            kind: kind, wallMs: clock.wallMs(), priority: priority ?? kind.priority, camera: camera,
            text: MessageText.render(kind, camera: nil, fields: fields), fields: fields)
        for body in bodies { body(message) }
    }

    /// How many records about the camera there were in the present minute that it can have brought about: those of viewers and
    /// of who asked for something do not count, nor those of storage, cloud, brokers and receivers.
    public func recordsInMinute(of camera: String) -> Int {
        let minute = clock.now().ms / 60_000
        return counts.withLock { counts in counts[camera].map { $0.minute == minute ? $0.records : 0 } ?? 0 }
    }

    private func note(_ camera: String) {
        let minute = clock.now().ms / 60_000
        counts.withLock { counts in
            let before = counts[camera].map { $0.minute == minute ? $0.records : 0 } ?? 0
            counts[camera] = MinuteCount(minute: minute, records: before + 1)
        }
    }

    private struct MinuteCount {
        let minute: Int64
        let records: Int
    }

    /// Records a statement of a library or of the log handler: words and fields that are no message kind.
    func send(_ record: [JournalField], line: @autoclosure () -> (Priority, String?, String)) {
        native?.send(NativeFormat.encode(record))
        guard let lines else { return }
        let (priority, camera, message) = line()
        if let line = lineFormat.line(
            wallMs: clock.wallMs(), priority: priority, camera: camera, fields: [], message: message)
        {
            lines.send(line)
        }
    }

    /// Waits until every record is handed over, at most `timeoutMs` milliseconds, and says whether it is. Blocking: not for
    /// the cooperative pool.
    @discardableResult
    public func flush(timeoutMs: Int64) -> Bool {
        let nativeDone = native?.flush(timeoutMs: timeoutMs) ?? true
        let linesDone = lines?.flush(timeoutMs: timeoutMs) ?? true
        return nativeDone && linesDone
    }

    /// Flushes, at most `timeoutMs` milliseconds for each outlet, and ends the threads. Later records are lost. Blocking.
    @discardableResult
    public func close(timeoutMs: Int64) -> Bool {
        let nativeDone = native?.close(timeoutMs: timeoutMs) ?? true
        let linesDone = lines?.close(timeoutMs: timeoutMs) ?? true
        return nativeDone && linesDone
    }

    private static func socket(for options: JournalOptions) -> JournalSocket? {
        switch options.output {
        case .lines: nil
        case .journald: JournalSocket(path: options.socketPath)
        case .automatic:
            JournalSocket.listens(at: options.socketPath) ? JournalSocket(path: options.socketPath) : nil
        }
    }
}
