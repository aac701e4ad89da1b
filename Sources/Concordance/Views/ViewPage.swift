import DocumentStore
import Foundation
import GRDB
import JSONText
import MapReduce

/// Selects the rows of a query: filter, order, skip and limit.
struct ViewPage {
  private let query: ViewQuery
  private let collection: Collection
  private let db: GRDB.Database
  private let limit: Int
  private var toSkip: Int
  private var found: [ViewRow] = []

  init(_ query: ViewQuery, collection: Collection, _ db: GRDB.Database) {
    self.query = query
    self.collection = collection
    self.db = db
    limit = max(0, query.limit ?? .max)
    toSkip = max(0, query.skip)
  }

  /// Whether the rows are added in the order of the result and all of them are in it.
  var isStreamed: Bool { query.sortDescriptors.isEmpty && query.postFilter == nil }

  /// Whether no more rows are needed.
  var isFull: Bool { isStreamed && found.count >= limit }

  /// The number of rows that must be added.
  var requiredCount: Int { limit == 0 ? 0 : limit.addingReportingOverflow(toSkip).overflow ? .max : limit + toSkip }

  /// Returns whether the next row is left out, so that it need not be read.
  mutating func skipsUnread() -> Bool {
    guard isStreamed, toSkip > 0 else { return false }
    toSkip -= 1
    return true
  }

  mutating func add(_ row: ViewRow) throws {
    if isFull || skipsUnread() { return }
    var row = row
    if query.prefetch, row.error == nil, let id = row.documentID {
      let body = try DocumentReader(collection.record, db).document(id: id)?.body
      row.fetched = try body.map { try JSONValue(jsonText: $0) }
    }
    if let filter = query.postFilter, !(try filter(row)) { return }
    found.append(row)
  }

  /// Returns the rows of the result.
  func rows() throws -> [ViewRow] {
    if isStreamed { return found }
    return Array(try sorted().dropFirst(toSkip).prefix(limit))
  }

  private func sorted() throws -> [ViewRow] {
    guard !query.sortDescriptors.isEmpty else { return found }
    let encoder = try SortKeyEncoder()
    let paths = try query.sortDescriptors.map { descriptor in
      (path: try withPublicErrors { try PropertyPath(descriptor.path) }, isDescending: descriptor.isDescending)
    }
    let keys = found.map { row in paths.map { encoder.key(of: row.value(at: $0.path) ?? .null) } }
    // The index makes the sort stable.
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
  /// The value at a path from the row: `key`, `value.skin`, `key[1]`.
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
      case (.key(let key), .object(let members)?): value = members.first { $0.key == key }?.value
      case (.position(let index), .array(let elements)?):
        let position = index < 0 ? elements.count + index : index
        value = elements.indices.contains(position) ? elements[position] : nil
      default: value = nil
      }
    }
    return value
  }
}
