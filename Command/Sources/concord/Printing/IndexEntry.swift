import Concordance

/// An index of any kind in a list of indexes.
struct IndexEntry: Equatable {
  enum Kind: String {
    case fullText = "full-text"
    case value
    case array
    case predictive
    case pattern
  }

  let name: String
  let kind: Kind
  /// The full name of the collection.
  let collection: String
  /// The fields of a full-text index, or the properties of a pattern index.
  var fields: [String] = []
  /// The analyzer of a full-text index.
  var analyzer: AnalyzerConfiguration?
  /// The analyzers of fields that differ from the index's own.
  var fieldAnalyzers: [String: AnalyzerConfiguration] = [:]
  /// The expressions of a value or array index, in SQL++.
  var expressions: [String] = []
  /// The condition of a partial index, in SQL++; nil if it covers all documents.
  var condition: String?
  /// The array of an array index.
  var path: String?
  let documentCount: Int
  let size: Int
  let isOutdated: Bool
  /// Whether documents are missing because their model was not available.
  var isIncomplete = false

  init(_ index: IndexDescription, in collection: Collection) {
    name = index.name
    kind = .fullText
    self.collection = collection.fullName
    fields = index.fields
    analyzer = index.analyzer
    fieldAnalyzers = index.fieldAnalyzers
    condition = index.configuration.where
    documentCount = index.documentCount
    size = index.size
    isOutdated = index.isOutdated
  }

  init(_ index: ValueIndexDescription, in collection: Collection) {
    name = index.name
    kind = index.prediction != nil ? .predictive : index.path == nil ? .value : .array
    self.collection = collection.fullName
    expressions = index.expressions.isEmpty ? index.prediction.map { [$0] } ?? [] : index.expressions
    condition = index.where
    path = index.path
    documentCount = index.documentCount
    size = index.size
    isOutdated = index.isOutdated
    isIncomplete = index.isIncomplete
  }

  init(_ index: PatternIndexDescription, in collection: Collection) {
    name = index.name
    kind = .pattern
    self.collection = collection.fullName
    fields = index.expressions
    documentCount = index.documentCount
    size = index.size
    isOutdated = index.isOutdated
  }

  /// Returns whether another index has the same definition.
  func hasSameDefinition(as other: IndexEntry) -> Bool {
    kind == other.kind && fields == other.fields && analyzer == other.analyzer
      && fieldAnalyzers == other.fieldAnalyzers && expressions == other.expressions && condition == other.condition
      && path == other.path
  }
}

extension IndexEntry {
  /// Returns an empty table of indexes.
  static func table() -> Table {
    Table(["name", "kind", "collection", "fields", "language", "accents", "documents", "size"], numbers: 2)
  }

  /// The index as a row of the table.
  var row: [String] {
    [
      name, kind == .fullText ? "full text" : kind.rawValue, collection, definition, cell(\.languageName),
      cell(\.accents.rawValue), Quantity.count(documentCount), Quantity.bytes(size),
    ]
  }

  /// Formats the value of the index, and those of fields that differ: `en, title=de`.
  private func cell(_ value: (AnalyzerConfiguration) -> String) -> String {
    guard let analyzer else { return "" }
    let others = fields.filter { fieldAnalyzers[$0].map(value) ?? value(analyzer) != value(analyzer) }
    return ([value(analyzer)] + others.map { "\($0)=\(fieldAnalyzers[$0].map(value) ?? "")" }).joined(separator: ", ")
  }

  /// The definition of the index as text: `title,text`, or `type,LOWER(name) WHERE stars > 3`, or `schedule[]: day`.
  var definition: String {
    let list = (fields + expressions).joined(separator: ",")
    guard let path else { return condition.map { "\(list) WHERE \($0)" } ?? list }
    return list.isEmpty ? "\(path)[]" : "\(path)[]: \(list)"
  }

  /// The index as a JSON object. All kinds have the same keys.
  var line: String {
    var line = JSONLine()
    line.add("name", name)
    line.add("kind", kind.rawValue)
    line.add("collection", collection)
    line.add("fields", fields)
    line.add("expressions", expressions)
    line.add("where", optional: condition)
    line.add("path", optional: path)
    line.add(analyzer)
    line.add("fieldAnalyzers", json: fieldAnalyzersJSON)
    line.add("documents", documentCount)
    line.add("size", size)
    line.add("outdated", isOutdated)
    return line.text
  }
}

extension IndexEntry {
  private var fieldAnalyzersJSON: String {
    var object = JSONLine()
    for field in fields {
      guard let analyzer = fieldAnalyzers[field] else { continue }
      var line = JSONLine()
      line.add(analyzer)
      object.add(field, json: line.text)
    }
    return object.text
  }
}

extension JSONLine {
  fileprivate mutating func add(_ analyzer: AnalyzerConfiguration?) {
    add("language", optional: analyzer?.language)
    add("accents", optional: analyzer?.accents.rawValue)
    add("code", json: analyzer.map { $0.code ? "true" : "false" } ?? "null")
  }
}

extension Collection {
  /// Returns the indexes of all kinds, sorted by name.
  func indexEntries() throws -> [IndexEntry] {
    let fullText = try indexDescriptions().map { IndexEntry($0, in: self) }
    let values = try valueIndexDescriptions().map { IndexEntry($0, in: self) }
    let patterns = try patternIndexDescriptions().map { IndexEntry($0, in: self) }
    return (fullText + values + patterns).sorted { $0.name < $1.name }
  }
}
