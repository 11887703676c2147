/// The fields of systemd.journal-fields(7) that Vigil sets beside its own.
enum WellKnownField: String, CaseIterable, Sendable {
    case message = "MESSAGE"
    case priority = "PRIORITY"
    case messageID = "MESSAGE_ID"
    case identifier = "SYSLOG_IDENTIFIER"
    case codeFile = "CODE_FILE"
    case codeLine = "CODE_LINE"
    case codeFunction = "CODE_FUNC"
}
