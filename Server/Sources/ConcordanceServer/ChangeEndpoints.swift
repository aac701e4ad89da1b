import Concordance
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// The changes to a collection as a list, with long polling, or as server-sent events.
enum ChangeEndpoints {
  enum Feed: String, CaseIterable { case list, longpoll, events }

  private static let maximumTimeout = 300

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "/databases/{database}/collections/{collection}/changes", operation: "changes",
      summary: "Lists the documents that were saved or deleted after a sequence, ordered by sequence. Each document "
        + "is listed once, with its last change.",
      parameters: [
        .init(
          name: "since", schema: .string,
          summary:
            "The sequence after which changes are listed; 0 by default. now stands for the last sequence, as does a "
            + "greater number."),
        .init(
          name: "limit", schema: .count,
          summary: "The maximum number of changes in a list, 100 by default; not with feed=events."),
        .init(
          name: "feed", schema: .choice(Feed.allCases.map(\.rawValue)),
          summary: "list responds immediately, longpoll waits for a change, events sends changes until the connection "
            + "is closed."),
        .init(
          name: "timeout", schema: .countAtMost(maximumTimeout),
          summary: "The number of seconds that longpoll waits: 30 by default, at most \(maximumTimeout). Only with "
            + "feed=longpoll."),
        .init(
          name: "documents", schema: .boolean,
          summary: "Whether changes contain the documents; false by default. A list ends after 16 MiB of them."),
        .init(
          name: "Last-Event-ID", schema: .string, summary: "The id of the last event; overrides since.", isHeader: true),
      ],
      responses: [(200, "The changes.", "application/json"), (200, "The changes.", "text/event-stream")],
      result: .component(.changes), waiting: ("feed", Feed.longpoll.rawValue), handle: changes)
  ]

  private static func changes(_ input: RequestInput) async throws -> Response {
    guard let feed = Feed(rawValue: input.string("feed") ?? "list") else {
      throw Problem.invalidParameter("feed", "expected list, longpoll or events")
    }
    // These parameters would be ignored.
    if feed != .longpoll, input.string("timeout") != nil {
      throw Problem.invalidParameter("timeout", "only feed=longpoll waits; leave out the parameter")
    }
    if feed == .events, input.string("limit") != nil {
      throw Problem.invalidParameter("limit", "feed=events sends all changes; leave out the parameter")
    }
    let limit = try input.count("limit", default: 100, limit: input.server.options.limits.resultCount)
    if limit == 0, feed == .longpoll { throw Problem.invalidParameter("limit", "expected 1 or more with this feed") }
    let seconds = try input.count("timeout", default: 30, limit: maximumTimeout)
    let withDocuments = try input.boolean("documents", default: false)
    let collection = try await input.withExistingCollection()
    let reader = try ChangeReader(collection, withDocuments: withDocuments)
    let since: UInt64
    let lastEvent = HTTPField.Name.lastEventID.flatMap { input.headers[$0] }
    let resumed = feed == .events ? lastEvent : nil
    switch resumed ?? input.string("since") {
    case nil: since = 0
    case "now": since = try await reader.lastSequence()
    case .some(let text):
      guard let number = UInt64(text), number <= UInt64(Int64.max) else {
        throw Problem.invalidParameter(
          resumed == nil ? "since" : "Last-Event-ID", "expected a sequence of 0 or more, or now")
      }
      // The client's sequence may be higher than the last one if the document was purged or the file was replaced.
      // Without this limit, the client would miss all changes up to its sequence.
      since = number == 0 ? 0 : min(number, try await reader.lastSequence())
    }
    switch feed {
    case .list:
      return .json(try await reader.list(try await reader.read(after: since, limit: limit), since: since))
    case .longpoll:
      let time = input.method == .head ? Duration.zero : .seconds(seconds)
      let changes = try await waited(reader, after: since, limit: limit, time, input)
      return .json(try await reader.list(changes, since: since))
    case .events: return try await events(reader, after: since, limit: limit, input)
    }
  }

  /// Waits for changes before the response starts, so that an error sets its status. Returns an empty list if there are
  /// none in time or the server shuts down.
  private static func waited(
    _ reader: ChangeReader, after since: UInt64, limit: Int, _ time: Duration, _ input: RequestInput
  ) async throws -> [Change] {
    let (files, database) = (input.server.files, try input.database())
    let permit = try await input.server.streams.permit()
    defer { withExtendedLifetime(permit) {} }
    do {
      return try await cancelWhenGracefulShutdown {
        try await input.reportingDeletedCollection {
          try await withThrowingTaskGroup(of: [Change].self) { group in
            group.addTask { try await reader.wait(after: since, limit: limit, time) }
            group.addTask {
              try await files.failWhenReplaced(database)
              return []
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
          }
        }
      }
    } catch is CancellationError where !Task.isCancelled {
      return []
    }
  }

  private static func events(
    _ reader: ChangeReader, after since: UInt64, limit: Int, _ input: RequestInput
  ) async throws -> Response {
    try await input.eventResponse { events in
      let signals = reader.signals()
      try await input.reportingDeletedCollection {
        var last = since
        while true {
          let changes = try await reader.read(after: last, limit: limit)
          try await events.send(changes)
          last = changes.last?.sequence ?? last
          if changes.isEmpty {
            var iterator = signals.makeAsyncIterator()
            guard await iterator.next() != nil else {
              // The error says why there are no more changes.
              _ = try await reader.read(after: last, limit: limit)
              return
            }
          }
        }
      }
    }
  }
}

extension HTTPField.Name {
  /// The id of the last server-sent event that the client received.
  fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")
}
