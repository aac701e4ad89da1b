import Logging

/// Writes the events of a database to the logger of its configuration.
///
/// Levels follow the conventions of swift-log for libraries:
///
/// | level | events |
/// |---|---|
/// | `debug` | details for debugging |
/// | `info` | rare events that explain a delay |
/// | `notice` | operations slower than ``DatabaseConfiguration/slowOperationThreshold`` |
/// | `warning` | errors that cannot be thrown to a caller |
///
/// Query texts are logged only if the level of the logger is `debug` or `trace`. The content of documents is never
/// logged.
struct DatabaseLog: Sendable {
  private let logger: Logger?
  private let slowOperationThreshold: Duration

  /// Creates the log of a database. The metadata `database` of every entry contains its path.
  init(_ config: DatabaseConfiguration, path: String) {
    var logger = config.logger
    logger?[metadataKey: "database"] = "\(path)"
    self.logger = logger
    slowOperationThreshold = config.slowOperationThreshold
  }

  /// Logs a message and details at the level `debug`.
  func debug(_ message: String, _ details: [String: String] = [:]) {
    logger?.debug("\(message)", metadata: metadata(details), source: DatabaseLog.source)
  }

  /// Logs a message and details at the level `info`.
  func info(_ message: String, _ details: [String: String] = [:]) {
    logger?.info("\(message)", metadata: metadata(details), source: DatabaseLog.source)
  }

  /// Logs an error that cannot be thrown to a caller.
  func warning(_ message: String, _ error: any Error) {
    logger?.warning("\(message)", metadata: ["error": "\(error)"], source: DatabaseLog.source)
  }

  /// Logs the duration of an operation if it was slow.
  ///
  /// - Parameters:
  ///   - start: the time at which it began.
  ///   - operation: the name of the operation: `query`, `search`, `wait for the writer`.
  ///   - text: the text of the query, which is logged only if the level of the logger is `debug` or `trace`.
  func noteDuration(
    since start: ContinuousClock.Instant, of operation: String, text: @autoclosure () -> String? = nil
  ) {
    guard let logger else { return }
    let duration = ContinuousClock.now - start
    guard duration >= slowOperationThreshold else { return }
    var metadata: Logger.Metadata = ["duration": "\(duration)"]
    if logger.logLevel <= .debug, let text = text() { metadata["text"] = "\(text)" }
    logger.notice("slow \(operation)", metadata: metadata, source: DatabaseLog.source)
  }

  private func metadata(_ details: [String: String]) -> Logger.Metadata { details.mapValues { "\($0)" } }

  private static let source = "Concordance"
}
