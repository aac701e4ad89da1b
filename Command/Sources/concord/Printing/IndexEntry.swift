import Concordance
import Foundation

/// An index of any kind in a list of indexes.
@dynamicMemberLookup
struct IndexEntry: Equatable {
  let summary: IndexSummary
  /// The full name of the collection.
  let collection: String

  subscript<Value>(dynamicMember member: KeyPath<IndexSummary, Value>) -> Value { summary[keyPath: member] }
}

extension IndexEntry {
  /// Returns an empty table of indexes.
  static func table() -> Table {
    Table(["name", "kind", "collection", "fields", "language", "accents", "documents", "size"], numbers: 2)
  }

  /// The index as a row of the table.
  var row: [String] {
    [
      summary.name, summary.kind.replacing("-", with: " "), collection, definition, cell(.language), cell(.accents),
      Quantity.count(summary.documentCount), Quantity.bytes(summary.size),
    ]
  }

  /// Formats the value of an option for the index, and for fields that differ: `en, title=de`.
  private func cell(_ option: AnalyzerOption) -> String {
    guard let analyzer = summary.analyzer else { return "" }
    let value = { (analyzer: AnalyzerConfiguration) in
      // The language of a document is a property of the document.
      option.name == AnalyzerOption.language.name && analyzer.languageProperty != nil
        ? AnalysisOptions.auto : option.text(of: analyzer)
    }
    let others = summary.fields.filter { summary.fieldAnalyzers[$0].map(value) ?? value(analyzer) != value(analyzer) }
    return ([value(analyzer)] + others.map { "\($0)=\(summary.fieldAnalyzers[$0].map(value) ?? "")" })
      .joined(separator: ", ")
  }

  /// The definition of the index as text: `title,text`, or `type,LOWER(name) WHERE stars > 3`, or `schedule[]: day`, or
  /// `KEY city VALUE price REDUCE _sum`.
  var definition: String {
    if summary.kind == "view" { return viewDefinition }
    let list = (summary.fields + summary.expressions).joined(separator: ",")
    guard let path = summary.path else { return summary.where.map { "\(list) WHERE \($0)" } ?? list }
    return list.isEmpty ? "\(path)[]" : "\(path)[]: \(list)"
  }

  private var viewDefinition: String {
    let clauses = [
      ("KEY", summary.key), ("VALUE", summary.value), ("WHERE", summary.where), ("REDUCE", summary.reduce),
    ]
    let texts = clauses.compactMap { name, text in text.map { "\(name) \($0)" } }
    return (summary.key == nil ? ["map function in Swift"] + texts : texts).joined(separator: " ")
  }

  /// The index as a JSON object. All kinds have the same keys.
  func line() throws -> String {
    var line = JSONLine()
    line.add("name", summary.name)
    line.add("kind", summary.kind)
    line.add("collection", collection)
    line.add("fields", summary.fields)
    line.add("expressions", summary.kind == "view" ? [] : summary.expressions)
    addViewMembers(to: &line)
    line.add("where", optional: summary.where)
    line.add("path", optional: summary.path)
    try line.add(summary.analyzer)
    line.add("fieldAnalyzers", json: try fieldAnalyzersJSON())
    line.add("documents", summary.documentCount)
    line.add("size", summary.size)
    line.add("outdated", summary.isOutdated)
    return line.text
  }

  /// Adds the key, the value and the reduce function of a view; null for other kinds.
  func addViewMembers(to line: inout JSONLine) {
    line.add("key", optional: summary.key)
    line.add("value", optional: summary.value)
    line.add("reduce", optional: summary.reduce)
  }

  private func fieldAnalyzersJSON() throws -> String {
    var object = JSONLine()
    for field in summary.fields {
      guard let analyzer = summary.fieldAnalyzers[field] else { continue }
      var line = JSONLine()
      try line.add(analyzer)
      object.add(field, json: line.text)
    }
    return object.text
  }
}

extension JSONLine {
  /// Adds the options that determine how text becomes terms; null for an index without terms.
  fileprivate mutating func add(_ analyzer: AnalyzerConfiguration?) throws {
    for option in AnalyzerOption.all where option.changesTerms {
      let value = try analyzer.map { try JSONEncoder().encode(option.value(of: $0)) }
      add(option.name, json: value.map { String(decoding: $0, as: UTF8.self) } ?? "null")
    }
  }
}

extension Collection {
  /// Returns the indexes of all kinds, sorted by name.
  func indexEntries() throws -> [IndexEntry] {
    try indexSummaries().map { IndexEntry(summary: $0, collection: fullName) }
  }
}
