import GRDB
import QueryModel

@testable import TextIndex

// Shorthands for tests that need only one result of an index in a transaction.

extension FullTextQuery {
  init(
    _ query: MatchQuery, fields: [String]? = nil, skippingEmptyOperands: Bool = false, relaxing: Bool = false,
    in index: StoredFullTextIndex, _ db: Database
  ) throws {
    try self.init(
      query, fields: fields, skippingEmptyOperands: skippingEmptyOperands, relaxing: relaxing, in: index.reader(db))
  }

  init(like terms: TermCounts, fields: [String]? = nil, in index: StoredFullTextIndex, _ db: Database) throws {
    try self.init(like: terms, fields: fields, in: index.reader(db))
  }

  func matches(_ db: Database, ranking: Ranking? = nil, excluding excluded: [Int64] = []) throws -> MatchSet {
    try matches(index.reader(db), ranking: ranking, excluding: excluded)
  }
}

extension RelaxableQuery {
  init(_ query: MatchQuery, fields: [String]? = nil, in index: StoredFullTextIndex, _ db: Database) throws {
    try self.init(query, fields: fields, in: index.reader(db))
  }

  func chosen(_ db: Database, excluding excluded: [Int64] = []) throws -> FullTextQuery {
    func count(_ query: FullTextQuery, limit: Int) throws -> Int {
      try query.matches(db, excluding: excluded).best(limit).count
    }
    return try chosen(allWordsCount: count(allWords, limit: sufficientCount), counting: count)
  }
}

extension MatchSearch {
  init(_ match: CompiledMatch, in index: StoredFullTextIndex, _ db: Database) throws {
    try self.init(match, PostingsReader(index, db))
  }
}

extension StoredFullTextIndex {
  func corrections(
    of query: MatchQuery, in text: String, fields: [String]? = nil, _ db: Database
  ) throws -> [SpellingCorrection] {
    try reader(db).corrections(of: query, in: text, fields: fields)
  }

  func correctionProposals(
    of query: MatchQuery, in text: String, fields: [String]? = nil, _ db: Database
  ) throws -> [[SpellingCorrection]] {
    try reader(db).correctionProposals(of: query, in: text, fields: fields)
  }

  func probableRealWordErrors(
    in query: MatchQuery, text: String, fields: [String]? = nil, _ db: Database
  ) throws -> [SpellingCorrection] {
    try reader(db).probableRealWordErrors(in: query, text: text, fields: fields)
  }

  func completions(
    of text: String, fields: [String]? = nil, limit: Int, _ db: Database
  ) throws -> [Completion] {
    try reader(db).completions(of: text, fields: fields, limit: limit)
  }

  func terms(
    beginningWith beginning: String = "", order: IndexTerm.Order = .frequency, limit: Int? = nil, _ db: Database
  ) throws -> [IndexTerm] {
    try reader(db).terms(beginningWith: beginning, order: order, limit: limit)
  }
}
