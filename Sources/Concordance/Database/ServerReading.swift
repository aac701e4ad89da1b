import DocumentStore
import GRDB
import SQLiteAccess

/// What a query or a search reads from a PostgreSQL server; see ``QueryExplanation/server`` and
/// ``SearchResults/server``.
public struct ServerReading: Hashable, Sendable, Codable {
  /// The statements that read rows of documents and value indexes, with `?` for values. Their conditions are those that
  /// the server evaluates; the client evaluates all others.
  public let statements: [String]
  /// The parts for which the client reads more rows than the result needs, such as whole collections.
  public internal(set) var notes: [String]
  /// The number of times that the client waited for the server; nil if it was not counted. It includes those of other
  /// operations that ended on the same ``Database`` at the same time.
  public internal(set) var roundTripCount: Int?
}

extension ServerReading {
  /// The lines of an explanation.
  public var lines: [String] {
    statements + notes
      + (roundTripCount.map { ["\($0) round \($0 == 1 ? "trip" : "trips")"] } ?? [])
  }

  /// - Parameters:
  ///   - plan: SQLite's plan for the statement; nil if none is run.
  ///   - notes: the notes.
  init(_ plan: StatementPlan?, notes: [String]) {
    var statements: [String] = []
    for statement in plan?.tableDescriptions ?? [] where !statements.contains(statement) {
      statements.append(statement)
    }
    self.statements = statements
    self.notes = notes
  }

  /// The note that a collection is read as a whole.
  ///
  /// - Parameter conditions: the conditions that the client evaluates.
  static func note(readingAllOf collection: String, testing conditions: [String]) -> String {
    "every document of \(collection) is transferred to the client, unless LIMIT ends the query earlier"
      + (conditions.isEmpty ? "" : "; no index evaluates \(conditions.joined(separator: " AND "))")
  }
}
