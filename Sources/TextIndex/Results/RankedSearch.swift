public import GRDB
import GRDBSQLite

/// A document that matches, and how well.
public struct RankedRow: Hashable, Sendable {
  /// The document's row.
  public let rowID: Int64
  /// BM25; larger is better.
  public let score: Double
}

extension FullTextQuery {
  /// The best matches, best first.
  ///
  /// This is the place where scores come from: FTS5's own `bm25()` with k1 = 1.2 and b = 0.75 (Robertson and Zaragoza,
  /// "The Probabilistic Relevance Framework: BM25 and Beyond", 2009), its sign turned.
  ///
  /// - Parameters:
  ///   - db: a connection in a read transaction.
  ///   - limit: how many at most.
  ///   - offset: how many of the best are passed over.
  ///   - weights: factors by field name; 1 for those that are not named.
  ///   - excluded: SQL that selects rows which are not to be found, or nil.
  /// - Throws: ``TextIndexError`` for an unknown field or a weight that is not above 0.
  /// - Complexity: O(m) in the number of matches, of which each is scored.
  public func ranked(
    _ db: Database, limit: Int, offset: Int = 0, weights: [String: Double] = [:], excluding excluded: String? = nil
  ) throws -> [RankedRow] {
    guard !isEmpty, limit > 0 else { return [] }
    let table = index.table.name
    let rows = try translatingSyntaxErrors {
      try Row.fetchAll(
        db,
        sql: """
          SELECT rowid, -rank AS score FROM \(table)
          WHERE \(table) MATCH ? AND rank MATCH ?\(condition(excluded)) ORDER BY rank LIMIT ? OFFSET ?
          """, arguments: [expression, try rankFunction(weights), limit, offset])
    }
    return rows.map { RankedRow(rowID: $0.value("rowid", or: 0), score: $0.value("score", or: 0)) }
  }

  /// The number of matches, without scoring them.
  ///
  /// - Parameter excluded: SQL that selects rows which are not to be counted, or nil.
  public func count(_ db: Database, excluding excluded: String? = nil) throws -> Int {
    guard !isEmpty else { return 0 }
    let table = index.table.name
    return try translatingSyntaxErrors {
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(table) WHERE \(table) MATCH ?\(condition(excluded))",
        arguments: [expression]) ?? 0
    }
  }

  private func condition(_ excluded: String?) -> String { excluded.map { " AND rowid NOT IN (\($0))" } ?? "" }

  /// Numbers that Swift writes without an exponent, which FTS5 does not read.
  private static let weights = 0.001...1_000_000.0

  private func rankFunction(_ weights: [String: Double]) throws -> String {
    var values = Array(repeating: 1.0, count: index.definition.fields.count)
    for (name, weight) in weights.sorted(by: { $0.key < $1.key }) {
      guard let column = index.column(of: name) else { throw index.unknownField(name) }
      guard FullTextQuery.weights.contains(weight) else {
        throw TextIndexError(
          .badWeight, "the weight of the field \"\(name)\" is \(weight); it must be from 0.001 to 1000000")
      }
      values[column] = weight
    }
    return "bm25(" + values.map { "\($0)" }.joined(separator: ", ") + ")"
  }

  /// The expression is ours, so what FTS5 does not take is too much for it.
  private func translatingSyntaxErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError
      where error.message?.hasPrefix("fts5: ") == true && error.message?.hasPrefix("fts5: syntax error") == false
    {
      let reason = error.message.map { String($0.dropFirst("fts5: ".count)) } ?? ""
      throw TextIndexError(.queryTooLarge, "the query is too large for FTS5 (\(reason)); use fewer words")
    }
  }
}
