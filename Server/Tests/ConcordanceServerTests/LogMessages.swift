import Logging
import Synchronization

/// Collects the messages of a logger.
final class LogMessages: Sendable {
  private let messages = Mutex<[(level: Logger.Level, text: String)]>([])

  var warnings: [String] { texts(at: .warning) }
  var errors: [String] { texts(at: .error) }

  /// Creates a logger whose messages are collected.
  func makeLogger() -> Logger { Logger(label: "test") { _ in RecordingLogHandler(messages: self) } }

  fileprivate func add(_ level: Logger.Level, _ text: String) { messages.withLock { $0.append((level, text)) } }

  private func texts(at level: Logger.Level) -> [String] {
    messages.withLock { messages in messages.filter { $0.level == level }.map { $0.text } }
  }
}

private struct RecordingLogHandler: LogHandler {
  let messages: LogMessages
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.warning

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { messages.add(event.level, "\(event.message)") }
}
