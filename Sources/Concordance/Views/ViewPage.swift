import DocumentStore
import Foundation
import GRDB
import JSONText
import MapReduce

/// Collects the rows of a query and applies its filter, order, skip and limit.
struct ViewPage {
  private let query: ViewSelection
  private let collection: Collection
  private let db: GRDB.Database
  private let limit: Int
  private var toSkip: Int
  private var found: [ViewRow] = []

  init(_ query: ViewSelection, collection: Collection, _ db: GRDB.Database) {
    self.query = query
    self.collection = collection
    self.db = db
    limit = query.limit ?? .max
    toSkip = query.skip
  }

  /// Whether the rows are added in the order of the result and none of them is filtered out.
  var isStreamed: Bool { query.sortDescriptors.isEmpty && query.postFilter == nil }

  /// Whether no more rows are needed.
  var isFull: Bool { isStreamed && found.count >= limit }

  /// The maximum number of rows to add.
  var requiredCount: Int { limit == 0 ? 0 : limit.addingReportingOverflow(toSkip).overflow ? .max : limit + toSkip }

  /// Returns whether the next row is skipped and need not be read.
  mutating func skipsNextRow() -> Bool {
    guard isStreamed, toSkip > 0 else { return false }
    toSkip -= 1
    return true
  }

  mutating func add(_ row: ViewRow) throws {
    if isFull || skipsNextRow() { return }
    // A filter can use the documents. Rows that are only sorted get them later, when most rows have been dropped.
    found.append(try isStreamed || query.postFilter != nil ? prefetching(row) : row)
  }

  /// Returns the row with its document, if the query prefetches documents.
  private func prefetching(_ row: ViewRow) throws -> ViewRow {
    guard query.prefetch, row.error == nil, let id = row.documentID else { return row }
    var row = row
    let body = try DocumentReader(collection.record, db).document(id: id)?.body
    row.fetchedText = try body.map { try ViewJSON.oneLine($0) }
    return row
  }

  /// Returns the rows of the result.
  func rows() throws -> [ViewRow] {
    if isStreamed { return found }
    // The filter may run other queries, so it is applied after all rows have been read.
    let wanted = try query.postFilter.map { try found.filter($0) } ?? found
    let rows = Array(try sorted(wanted).dropFirst(toSkip).prefix(limit))
    return try query.postFilter == nil ? rows.map { try prefetching($0) } : rows
  }

  private func sorted(_ found: [ViewRow]) throws -> [ViewRow] {
    guard !query.sortDescriptors.isEmpty else { return found }
    let encoder = try SortKeyEncoder()
    let paths = try query.sortDescriptors.map { descriptor in
      (path: try withPublicErrors { try PropertyPath(descriptor.path) }, isDescending: descriptor.isDescending)
    }
    let keys = found.map { row in paths.map { encoder.key(of: row.value(at: $0.path) ?? .null) } }
    // Comparing indices of equal rows makes the sort stable.
    let order = found.indices.sorted { one, other in
      for (number, path) in paths.enumerated() where keys[one][number] != keys[other][number] {
        return keys[one][number].lexicographicallyPrecedes(keys[other][number]) != path.isDescending
      }
      return one < other
    }
    return order.map { found[$0] }
  }
}

extension ViewRow {
  /// Returns whether the row has a value at the path of a sort criterion; false for a path that cannot be parsed.
  @_spi(Command) public func hasValue(for descriptor: ViewSortDescriptor) -> Bool {
    // The query itself throws an error for an invalid path.
    guard let path = try? PropertyPath(descriptor.path) else { return false }
    return value(at: path) != nil
  }

  /// Returns the value at a path in the row: `key`, `value.skin`, `key[1]`.
  fileprivate func value(at path: PropertyPath) -> JSONValue? {
    guard case .key(let name)? = path.components.first else { return nil }
    var value: JSONValue? =
      switch name {
      case "key": keyValue
      case "value": valueValue
      case "documentID": documentID.map { .string($0) }
      case "sequence": sequence.map { .int64(Int64(clamping: $0)) }
      default: nil
      }
    for component in path.components.dropFirst() {
      switch (component, value) {
      case (.key(let key), .object(let members)?): value = members.value(forKey: key)
      case (.position(let index), .array(let elements)?):
        let position = index < 0 ? elements.count + index : index
        value = elements.indices.contains(position) ? elements[position] : nil
      default: value = nil
      }
    }
    return value
  }
}
