import Concordance
import JSONText
import NIOCore

/// A change as JSON text without line breaks.
struct Change: Sendable {
  let sequence: UInt64
  let json: [UInt8]
}

/// Reads the changes to a collection.
struct ChangeReader: Sendable {
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
        let json = JSONLine.bytes(of: row.toJSON().utf8)
        changes.append(Change(sequence: UInt64(clamping: row.int64(at: 1)), json: json))
        size += json.count
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
        // If the collection was deleted, the error says so.
        if changes.isEmpty { changes = try await read(after: sequence, limit: limit) }
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

  /// Returns the response for some changes. A list may contain large documents, so it is written on a thread of the
  /// database.
  func list(_ changes: [Change], since: UInt64) async throws -> ByteBuffer {
    // During a shutdown, nothing runs on the threads of the database.
    if changes.isEmpty { return ChangeReader.response(to: changes, since: since) }
    return try await collection.database.async.perform { _ in ChangeReader.response(to: changes, since: since) }
  }

  private static func response(to changes: [Change], since: UInt64) -> ByteBuffer {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("changes") { writer in
        writer.array { writer in changes.forEach { writer.write(rawJSON: $0.json) } }
      }
      writer.member("lastSequence", Int(clamping: changes.last?.sequence ?? since))
    }
    return ByteBuffer(bytes: writer.bytes)
  }
}
