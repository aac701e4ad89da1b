import ArgumentParser
import ConcordanceServer

/// The limits of `concord serve`.
struct ServeLimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The maximum size of a request body: 500K, 16M. (default: 16M)", valueName: "size"))
  var maxBodySize: ByteSize?

  @Option(help: ArgumentHelp("The maximum number of hits, suggestions or terms in a response.", valueName: "number"))
  var maxResults = ServerLimits().resultCount

  @Option(help: ArgumentHelp("The maximum time of a search or query.", valueName: "seconds"))
  var maxQueryTime = 10.0

  @Option(help: ArgumentHelp("The maximum number of open connections; others wait.", valueName: "number"))
  var maxConnections = ServerLimits().maximumConnectionCount

  @Option(
    help: ArgumentHelp(
      "The maximum number of requests that run or wait; others receive status 503.", valueName: "number"))
  var maxQueue = ServerLimits().maximumQueueLength

  @Option(
    help: ArgumentHelp(
      "An origin whose pages may use the server, such as https://example.org; may be repeated. (default: none)",
      valueName: "origin"))
  var corsOrigin: [String] = []

  func validate() throws {
    guard maxQueryTime > 0, maxQueryTime <= 1e9 else {
      throw ValidationError("--max-query-time takes a number of seconds above 0, not \(maxQueryTime).")
    }
  }

  var limits: ServerLimits {
    var limits = ServerLimits()
    if let maxBodySize { limits.bodySize = Int(clamping: maxBodySize.bytes) }
    limits.resultCount = maxResults
    limits.queryTimeout = .seconds(maxQueryTime)
    limits.maximumConnectionCount = maxConnections
    limits.maximumQueueLength = maxQueue
    return limits
  }

  /// The option that sets a property of ``ServerLimits``.
  static func option(_ property: String) -> String {
    switch property {
    case "bodySize": "--max-body-size"
    case "resultCount": "--max-results"
    case "maximumConnectionCount": "--max-connections"
    case "maximumQueueLength": "--max-queue"
    default: property
    }
  }
}
