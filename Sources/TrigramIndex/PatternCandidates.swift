public import GRDB
public import PatternMatching
import SQLiteAccess
import TextIndex

/// Finds the candidate documents for a pattern by its trigrams.
public struct PatternCandidates {
  private let index: StoredPatternIndex
  private let db: Database
  /// The search in posting lists; nil if FTS5 must run the query.
  private let search: TrigramSearch?
  /// The search of an index in another database.
  private let remote: RemotePatternSearch?

  /// Opens an index on a connection.
  ///
  /// - Throws: `TextIndexError` of kind `TextIndexErrorKind.outdated` if the index must be rebuilt first, or of kind
  ///   `TextIndexErrorKind.damaged`.
  public init(_ index: StoredPatternIndex, _ db: Database) throws {
    try index.requireCurrent()
    self.index = index
    self.db = db
    remote = db.remotePatternIndexes.map { RemotePatternSearch(indexes: $0, id: index.id) }
    guard remote == nil else {
      search = nil
      return
    }
    do {
      search = TrigramSearch(try TrigramPostingLists(index.table, db))
    } catch is FTS5FallbackRequired {
      search = nil
    } catch let damage as DoclistCorruption {
      throw damage.error(index: index.name)
    }
  }

  /// Returns the rows whose documents satisfy a query, ascending; nil if the query does not exclude any documents or
  /// there are more than `limit` rows.
  ///
  /// - Parameters:
  ///   - query: the trigram query.
  ///   - isWithinLines: whether every match is within one line. Otherwise a match may span chunks of a document.
  ///   - limit: the maximum number of rows.
  /// - Complexity: O(d) in the lengths of the trigrams' posting lists.
  public func rows(for query: TrigramQuery, isWithinLines: Bool, limit: Int = .max) throws -> [Int64]? {
    switch query {
    case .all: return nil
    case .none: return []
    default: break
    }
    if let remote { return try remote.rows(for: query, isWithinLines: isWithinLines, limit: limit) }
    guard var rows = try documents(with: query, limit: limit) else { return nil }
    if !isWithinLines { rows.formUnion(try CrossChunkCandidates(self, try longDocuments()).documents(for: query)) }
    return rows.count > limit ? nil : rows.sorted()
  }

  /// Returns the documents with a chunk that satisfies a query; nil for all, or if there are more than `limit`.
  func documents(with query: TrigramQuery, limit: Int = .max) throws -> Set<Int64>? {
    guard let chunks = try chunks(for: query) else { return nil }
    let statement = try SQLStatement(cached: "SELECT doc FROM \(index.table.chunkTable) WHERE part = ?", in: db)
    var documents: Set<Int64> = []
    for chunk in chunks {
      statement.bind(1, chunk)
      if try statement.step() { documents.insert(statement.row.int64(0)) }
      statement.reset()
      if documents.count > limit { return nil }
    }
    return documents
  }

  /// Returns the chunks that may satisfy a query; nil for all.
  private func chunks(for query: TrigramQuery) throws -> [Int64]? {
    guard let search else { return try FTS5FallbackTrigramSearch(index.table, db).chunks(for: query) }
    do {
      return try search.chunks(for: query)?.map { Int64($0) }
    } catch is FTS5FallbackRequired {
      return try FTS5FallbackTrigramSearch(index.table, db).chunks(for: query)
    } catch let damage as DoclistCorruption {
      throw damage.error(index: index.name)
    }
  }

  /// Returns the documents with several chunks.
  private func longDocuments() throws -> Set<Int64> {
    let statement = try SQLStatement(
      cached: "SELECT doc FROM \(index.table.chunkTable) GROUP BY doc HAVING count(*) > 1", in: db)
    defer { statement.reset() }
    var documents: Set<Int64> = []
    while try statement.step() { documents.insert(statement.row.int64(0)) }
    return documents
  }
}

/// Finds, among documents with several chunks, those whose chunks together satisfy a query.
private struct CrossChunkCandidates {
  private let candidates: PatternCandidates
  private let documents: Set<Int64>

  /// The maximum number of trigrams that are read for a conjunction. Ignoring the others only adds candidates.
  private static let maximumCount = 8

  init(_ candidates: PatternCandidates, _ documents: Set<Int64>) {
    self.candidates = candidates
    self.documents = documents
  }

  func documents(for query: TrigramQuery) throws -> Set<Int64> {
    guard !documents.isEmpty else { return [] }
    switch query {
    case .all: return documents
    case .none: return []
    case .trigram: return try candidates.documents(with: query)?.intersection(documents) ?? documents
    case .and(let operands):
      let step = max(1, operands.count / CrossChunkCandidates.maximumCount)
      var common = documents
      for index in stride(from: 0, to: operands.count, by: step) where !common.isEmpty {
        common.formIntersection(try documents(for: operands[index]))
      }
      return common
    case .or(let operands):
      guard operands.count <= CrossChunkCandidates.maximumCount else { return documents }
      return try operands.reduce(into: []) { $0.formUnion(try documents(for: $1)) }
    }
  }
}
