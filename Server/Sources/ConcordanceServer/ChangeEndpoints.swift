import Concordance
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// The changes to a collection as a list, with long polling, or as server-sent events.
enum ChangeEndpoints {
  enum Feed: String, CaseIterable { case list, longpoll, events }

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
        .init(name: "limit", schema: .count, summary: "The maximum number of changes in a list, 100 by default."),
        .init(
          name: "feed", schema: .choice(Feed.allCases.map(\.rawValue)),
          summary: "list responds immediately, longpoll waits for a change, events sends changes until the connection "
            + "is closed."),
        .init(
          name: "timeout", schema: .count,
          summary: "The number of seconds that longpoll waits: 30 by default, at most 300."),
        .init(
          name: "documents", schema: .boolean,
          summary: "Whether changes contain the documents; false by default. A list ends after 16 MiB of them."),
        .init(
          name: "Last-Event-ID", schema: .string, summary: "The id of the last event; overrides since.", isHeader: true),
      ],
      responses: [(200, "The changes.", "application/json"), (200, "The changes.", "text/event-stream")],
      result: .component(.changes), handle: changes)
  ]

  private static func changes(_ input: RequestInput) async throws -> Response {
    guard let feed = Feed(rawValue: input.string("feed") ?? "list") else {
      throw Problem.invalidParameter("feed", "expected list, longpoll or events")
    }
    let limit = try input.count("limit", default: 100, limit: input.server.options.limits.resultCount)
    if limit == 0, feed != .list { throw Problem.invalidParameter("limit", "expected 1 or more with this feed") }
    let seconds = try input.count("timeout", default: 30, limit: 300)
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
      return .json(
        ByteBuffer(bytes: ChangeReader.list(try await reader.read(after: since, limit: limit), since: since)))
    case .longpoll:
      return input.streamedResponse("application/json", endsWithServer: true) { sink in
        var changes: [Change] = []
        do {
          changes = try await reader.wait(after: since, limit: limit, .seconds(seconds))
        } catch is CancellationError {
          // The server is shutting down: the client gets an empty list.
        }
        await sink.sendLast(ByteBuffer(bytes: ChangeReader.list(changes, since: since)))
      }
    case .events:
      return try input.eventResponse { events in
        let signals = reader.signals()
        var last = since
        while true {
          let changes = try await reader.read(after: last, limit: limit)
          for change in changes {
            try await events.send("change", data: change.json.utf8, id: change.sequence)
            last = change.sequence
          }
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

/// A change as JSON.
private struct Change: Sendable {
  let sequence: UInt64
  let json: String
}

/// Reads the changes to a collection.
private struct ChangeReader: Sendable {
  private let collection: Concordance.Collection
  private let query: String
  private let lastQuery: String

  /// The size in bytes after which no more changes are read at a time. There may be 1,000 documents of 50 MiB.
  private static let maximumSize = 16 << 20

  init(_ collection: Concordance.Collection, withDocuments: Bool) throws {
    self.collection = collection
    // A query returns deleted documents only if it mentions META().deleted.
    let source = "FROM `\(collection.scope.name)`.`\(collection.name)` AS c WHERE (META(c).deleted OR TRUE)"
    query = """
      SELECT META(c).id AS id, META(c).sequence AS sequence, META(c).revisionID AS revision, META(c).deleted AS deleted
      \(withDocuments ? ", c AS document" : "") \(source) AND META(c).sequence > $since
      ORDER BY META(c).sequence LIMIT $limit
      """
    lastQuery = "SELECT META(c).sequence \(source) ORDER BY META(c).sequence DESC LIMIT 1"
  }

  /// Returns the changes after a sequence: at most `limit`, and none after ``maximumSize`` bytes of them. If there are
  /// changes, it returns at least one.
  func read(after sequence: UInt64, limit: Int) async throws -> [Change] {
    let text = query
    return try await collection.database.async.perform { database in
      let query = try database.createQuery(text)
      query.parameters = Concordance.Parameters()
        .setInt64(Int64(clamping: sequence), forName: "since").setInt(limit, forName: "limit")
      var changes: [Change] = []
      var size = 0
      try query.forEachRow { row in
        let change = Change(sequence: UInt64(clamping: row.int64(at: 1)), json: row.toJSON())
        changes.append(change)
        size += change.json.utf8.count
        return size < ChangeReader.maximumSize
      }
      return changes
    }
  }

  func lastSequence() async throws -> UInt64 {
    let text = lastQuery
    return try await collection.database.async.perform { database in
      try database.createQuery(text).execute().map { UInt64(clamping: $0.int64(at: 0)) }.first ?? 0
    }
  }

  /// Returns a stream that yields a signal for each change to the collection. Pending signals are coalesced. The stream
  /// ends when the collection is deleted or the database is closed.
  func signals() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      // Subscribes before the task starts, so that no change is missed.
      let changes = collection.changes()
      let task = Task {
        for await _ in changes { continuation.yield() }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Returns the changes after a sequence. If there are none, waits for a change up to the given time.
  func wait(after sequence: UInt64, limit: Int, _ time: Duration) async throws -> [Change] {
    let signals = signals()
    return try await withThrowingTaskGroup(of: [Change].self) { group in
      group.addTask {
        var changes = try await read(after: sequence, limit: limit)
        var iterator = signals.makeAsyncIterator()
        while changes.isEmpty, await iterator.next() != nil {
          changes = try await read(after: sequence, limit: limit)
        }
        return changes
      }
      group.addTask {
        try await Task.sleep(for: time)
        return []
      }
      defer { group.cancelAll() }
      return try await group.next() ?? []
    }
  }

  static func list(_ changes: [Change], since: UInt64) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("changes") { writer in
        writer.array { writer in changes.forEach { writer.write(rawJSON: $0.json.utf8) } }
      }
      writer.member("lastSequence", Int(clamping: changes.last?.sequence ?? since))
    }
    return writer.bytes
  }
}
