import DocumentStore
import GRDB
import JSONText
import TextIndex

/// A search in a read transaction: its query in the forms that are ranked, counted and highlighted.
struct PreparedSearch {
  /// What is ranked.
  private enum Form {
    /// Documents with all words, and others where these are few.
    case relaxable(RelaxableQuery)
    /// Documents that match.
    case exact(FullTextQuery)
  }

  private let form: Form
  private let excluded: String?

  /// - Parameter excluded: SQL that selects rows which are not to be found, or nil.
  init(_ query: FullTextQuery, excluding excluded: String?) {
    (form, self.excluded) = (.exact(query), excluded)
  }

  init(_ query: RelaxableQuery, excluding excluded: String?) {
    (form, self.excluded) = (.relaxable(query), excluded)
  }

  /// A search for documents like one of the collection, that one left out.
  ///
  /// - Throws: ``CBLError/notFound`` when there is no such document.
  init(
    like id: String, fields: [String]?, in index: InvertedIndex, of reader: DocumentReader, _ collection: String,
    _ db: GRDB.Database
  ) throws {
    guard let document = try reader.document(id: id) else {
      throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in the collection \(collection)")
    }
    let counter = try TermCounter(index, fields: fields)
    let terms = try JSONParser.withShared { parser in
      try document.body.withUnsafeBytes { try counter.count(parser.parse($0)) }
    }
    let known = try reader.expiredRows().map { [$0] } ?? []
    self.init(
      try FullTextQuery(like: terms, fields: fields, in: index, db),
      excluding: (known + ["SELECT \(document.rowID)"]).joined(separator: " UNION ALL "))
  }

  /// Whether there is no word to search for.
  var isEmpty: Bool {
    switch form {
    case .relaxable(let query): query.isEmpty
    case .exact(let query): query.isEmpty
    }
  }

  /// The best documents.
  func ranked(_ db: GRDB.Database, limit: Int, offset: Int, _ ranking: Ranking) throws -> RelaxableQuery.Hits {
    switch form {
    case .relaxable(let query):
      try query.ranked(db, limit: limit, offset: offset, ranking: ranking, excluding: excluded)
    case .exact(let query):
      RelaxableQuery.Hits(
        rows: try query.ranked(db, limit: limit, offset: offset, ranking: ranking, excluding: excluded),
        isRelaxed: false, query: query)
    }
  }

  /// The number of documents that are found without a limit.
  func count(_ db: GRDB.Database) throws -> Int {
    switch form {
    case .relaxable(let query): try query.count(db, excluding: excluded)
    case .exact(let query): try query.count(db, excluding: excluded)
    }
  }

  /// The same search with the words added that are typical of its best hits.
  func expanded(
    by feedback: RelevanceFeedback, fields: [String]?, _ ranking: Ranking, in index: InvertedIndex,
    of reader: DocumentReader, _ db: GRDB.Database
  ) throws -> PreparedSearch {
    let settings = try feedback.settings()
    let counter = try TermCounter(index, fields: fields)
    var model = RelevanceModel(try widest, settings)
    for row in try ranked(db, limit: settings.documentCount, offset: 0, ranking).rows {
      guard let stored = try reader.document(rowID: row.rowID) else { continue }
      let terms = try JSONParser.withShared { parser in
        try stored.body.withUnsafeBytes { try counter.count(parser.parse($0)) }
      }
      model.add(terms, score: row.score)
    }
    return PreparedSearch(try model.expandedQuery(db), excluding: excluded)
  }

  /// The query as it finds the most.
  private var widest: FullTextQuery {
    get throws {
      switch form {
      case .relaxable(let query): try query.anyWord() ?? query.allWords
      case .exact(let query): query
      }
    }
  }
}
