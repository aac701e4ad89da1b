public import DocumentStore
public import GRDB
import JSONText
import QueryModel
import SQLiteAccess

/// Counts the values of properties in one pass over documents.
///
/// A property is read from a value index if it is the first column of one. Other properties are read from the text of
/// the document, which is scanned only as far as needed.
public struct FacetCollector: Sendable {
  private let properties: [FacetProperty]
  private let table: String
  /// For each property, the table of an index that contains it, or nil.
  private let indexTables: [String?]
  /// The limit on the memory of the values of all queries in this process; tests lower it.
  var memoryLimit = ValueBudget.maximumTotal

  /// The number of documents in a part, which one worker counts.
  private static let partSize = 4096

  /// Creates a collector for properties of a collection.
  public init(_ properties: [FacetProperty], of schema: CollectionSchema) {
    self.properties = properties
    table = schema.record.table
    indexTables = properties.map { schema.indexTable(of: $0.path) }
  }

  /// Counts the values of documents.
  ///
  /// - Parameters:
  ///   - rows: the rows of the documents.
  ///   - db: the connection.
  ///   - readerPool: the threads that count in parallel, or nil.
  /// - Returns: the rows of the documents that match all selections, in the given order, and the counts of each
  ///   property.
  /// - Throws: ``QueryRuntimeError`` if the distinct values and those of other queries take too much memory; see
  ///   ``ValueBudget/maximumTotal``.
  /// - Complexity: O(n) in the number of rows: 0.3 µs per row if the values are read from an index, up to 2 µs if they
  ///   are read from documents.
  public func run(
    over rows: [Int64], _ db: Database, _ readerPool: ReaderPool?
  ) throws -> (rows: [Int64], facetResults: [FacetResult]) {
    var counts = FacetCounter(properties)
    let memory = FacetMemory(of: counts, limit: memoryLimit)
    var selected: [Int64] = []
    let size = FacetCollector.partSize
    let partCount = (rows.count + size - 1) / size
    if let readerPool {
      try readerPool.map(count: partCount, on: db) { number, db in
        var counts = FacetCounter(properties)
        let memory = FacetMemory(of: counts, limit: memoryLimit)
        let first = number * size
        let selected = try count(rows[first..<min(rows.count, first + size)], into: &counts, memory, db)
        return (selected: selected, counts: counts)
      } deliver: { part in
        counts.add(part.counts)
        try memory.update(for: counts)
        selected += part.selected
        return true
      }
    } else {
      for first in stride(from: 0, to: rows.count, by: size) {
        selected += try count(rows[first..<min(rows.count, first + size)], into: &counts, memory, db)
      }
    }
    // The results contain the values again.
    try memory.update(for: counts, copies: 2)
    let results = properties.indices.map { counts.result(of: $0) }
    withExtendedLifetime(memory) {}
    return (selected, results)
  }

  /// Counts the values of documents.
  ///
  /// - Returns: the rows of the documents that match all selections.
  private func count(
    _ rows: ArraySlice<Int64>, into counts: inout FacetCounter, _ memory: FacetMemory, _ db: Database
  ) throws -> [Int64] {
    var selected: [Int64] = []
    let readers = properties.map { ScalarReader($0.path) }
    let fromDocuments = properties.indices.filter { indexTables[$0] == nil }
    var documents = try fromDocuments.isEmpty ? nil : RowLookup("body", of: table, key: "rowid", rows, db)
    defer { documents?.end() }
    var indexes = try indexTables.map { name in try name.map { try RowLookup("k0, e0", of: $0, key: "doc", rows, db) } }
    defer { for index in indexes { index?.end() } }
    for row in rows {
      if let text = try documents?.find(row)?.bytes(1) {
        for number in fromDocuments { readers[number].forEach(in: text) { counts.add($0, of: number) } }
      }
      for number in indexes.indices {
        if let entry = try indexes[number]?.find(row) {
          FacetCollector.forEach(of: entry) { counts.add($0, of: number) }
        }
      }
      if counts.endDocument() { selected.append(row) }
      try memory.update(for: counts)
    }
    return selected
  }

  /// Calls `body` with the values in the sort key and the exact value of an index's row.
  private static func forEach(of row: StatementRow, _ body: (ScalarSlice) -> Void) {
    // Null and Booleans have an exact value in addition to their key.
    let exact = ColumnValue(row, 2)
    if case .boolean(let boolean) = exact { return body(.boolean(boolean)) }
    guard exact == .missing else { return }
    switch row.type(1) {
    case .integer: body(.number(.integer(row.int64(1))))
    case .double: body(.number(.double(row.double(1))))
    case .text: if let text = row.bytes(1) { body(.string(text, hasEscapes: false)) }
    case .blob: if let slice = row.bytes(1).flatMap({ JSONSlice($0) }) { ScalarReader.forEach(of: slice, body) }
    case .null: break
    }
  }
}

extension CollectionSchema {
  /// Returns the table of an index that contains the uncollated value at a path for every document.
  fileprivate func indexTable(of path: PropertyPath) -> String? {
    guard !path.components.contains(.each) else { return nil }
    return usableIndexes.first { index in
      guard index.definition.condition == nil, let column = index.columns.first, column.collation == .binary,
        case .property(let indexed, nil) = column.expression
      else { return false }
      return indexed.isIdentical(to: path)
    }?.tableName
  }
}
