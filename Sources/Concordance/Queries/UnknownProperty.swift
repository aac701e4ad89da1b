import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel

/// A property that a query or a search refers to but that no document of its collection contains. It is probably
/// misspelt.
public struct UnknownProperty: Hashable, Sendable {
  /// The path of the property.
  public let path: String
  /// The collection, as `scope.name`.
  public let collection: String
  /// A similar property that occurs in documents; nil if there is none.
  public let suggestion: String?

  /// A message for users, such as `no document has a property nmae; did you mean name?`. A long path is truncated.
  public var message: String {
    "no document has a property \(MessageNames.visible(path))"
      + (suggestion.map { "; did you mean \(MessageNames.visible($0))?" } ?? "")
  }
}

extension Query {
  /// Returns the distinct properties that the query refers to but that no document of their collection contains.
  ///
  /// Such a property is MISSING in each row, which is valid SQL++ but rarely intended.
  ///
  /// ```swift
  /// try database.createQuery("SELECT nmae FROM hotels").unknownProperties()   // [nmae; suggestion: name]
  /// ```
  ///
  /// Properties of the elements of an `UNNEST` and of collections without documents are not checked.
  ///
  /// - Throws: the same errors as ``execute()``; ``CBLError/timeout`` after ``timeout``. Parameters do not need values.
  /// - Complexity: for each property, reads documents until one contains the property, or all documents if none does.
  public func unknownProperties() throws -> [UnknownProperty] {
    try withPublicErrors {
      let runner = try runner()
      return try Deadline.run(timeout, of: "query") {
        try runner.engine.store.readIndexes { db in
          try model.namedProperties().flatMap { source, paths -> [UnknownProperty] in
            guard let record = try runner.record(source, db) else { return [] }
            let names = PropertyNames(record, try runner.engine.schema(of: record, db), db)
            return try names.unknown(among: paths)
          }
        }
      }
    }
  }
}

/// Looks for properties in the documents of a collection, in a transaction.
struct PropertyNames {
  private let record: CollectionRecord
  private let compiler: SearchCompiler
  private let db: GRDB.Database

  /// The number of documents whose properties are considered as suggestions.
  private static let sampleSize = 1000

  init(_ record: CollectionRecord, _ schema: CollectionSchema, _ db: GRDB.Database) {
    self.record = record
    self.db = db
    compiler = SearchCompiler(record: record, index: "", schema: schema)
  }

  /// The paths that occur in no document; empty if the collection has no documents.
  func unknown(among paths: [PropertyPath]) throws -> [UnknownProperty] {
    guard try CollectionCatalog.documentCount(record.id, db) ?? 0 > 0 else { return [] }
    return try paths.filter { try !hasDocument(with: $0) }.map {
      UnknownProperty(path: $0.description, collection: "\(record.name)", suggestion: try suggestion(for: $0))
    }
  }

  private func hasDocument(with path: PropertyPath) throws -> Bool {
    var query = SelectQuery(columns: [], sources: [compiler.source])
    query.filter = .not(.is(.property(path, source: nil), .missing))
    return try !compiler.rows(of: query, limit: 1, db).isEmpty
  }

  /// The path with its first unknown key replaced by a similar key of the first documents.
  private func suggestion(for path: PropertyPath) throws -> String? {
    let keys = path.components.map { if case .key(let key) = $0 { key } else { "" } }
    guard !keys.contains("") else { return nil }
    let rows = try compiler.rows(of: SelectQuery(columns: [], sources: [compiler.source]), limit: Self.sampleSize, db)
    let reader = DocumentReader(record, db)
    var known = 0
    // The sibling keys of the first key that occurs in no document.
    var names: Set<String> = []
    try JSONParser.withShared { parser in
      for row in rows {
        guard let document = try reader.document(rowID: row) else { continue }
        try document.withRoot(parser) { root in
          var element = root
          var depth = 0
          while depth < keys.count - 1, let next = element[keys[depth]] { (element, depth) = (next, depth + 1) }
          guard depth >= known, element.kind == .object else { return }
          if depth > known { names = [] }
          known = depth
          element.forEachMember { key, _ in names.insert(String(decoding: key, as: UTF8.self)) }
        }
      }
    }
    guard let name = NameSuggestion.closest(to: keys[known], among: names.sorted()) else { return nil }
    let replaced = keys[..<known] + [name] + keys[(known + 1)...]
    return PropertyPath(replaced.map { .key($0) }).description
  }
}

extension SelectQuery {
  /// Returns the distinct paths of properties, each up to its first array, grouped by collection.
  fileprivate func namedProperties() -> [(source: CollectionPath, paths: [PropertyPath])] {
    let names = sourceNames.all
    let aliases = Set(columns.compactMap(\.alias))
    var found: [(source: CollectionPath, paths: [PropertyPath])] = sources.compactMap {
      if case .collection(let path) = $0.content { (path, []) } else { nil }
    }
    let collections = sources.indices.filter { if case .collection = sources[$0].content { true } else { false } }
    for expression in expressions {
      expression.visit { inner in
        guard case .property(let path, let source) = inner else { return }
        let position = source.map { names.firstIndex(of: $0) } ?? (sources.count == 1 ? 0 : nil)
        guard let position, let collection = collections.firstIndex(of: position) else { return }
        // The alias of a column takes precedence over a property.
        if source == nil, case .key(let key)? = path.components.first, aliases.contains(key) { return }
        let keys = path.upToFirstArray
        if !keys.components.isEmpty, !found[collection].paths.contains(keys) { found[collection].paths.append(keys) }
      }
    }
    return found
  }
}

extension PropertyPath {
  /// The path up to the first access to an array element.
  var upToFirstArray: PropertyPath {
    PropertyPath(components.prefix { if case .key = $0 { true } else { false } })
  }
}
