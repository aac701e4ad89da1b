import SQLiteAccess

/// The value of a row of a view.
public enum ViewValue: Hashable, Sendable {
  /// The row has no value.
  case none
  /// JSON text.
  case json([UInt8])
  /// The document that emitted the row.
  case document

  /// Reads a column of the current row.
  init(_ row: StatementRow, _ column: Int32) {
    self =
      switch row.type(column) {
      case .null: .none
      case .integer: .document
      default: .json(Array(row.blob(column)))
      }
  }
}

/// A row of a view.
public struct ViewEntry: Hashable, Sendable {
  var position: ViewPosition
  /// The key as JSON text.
  public let key: [UInt8]
  /// The value.
  public let value: ViewValue

  /// The sort key.
  public var sort: [UInt8] { position.sort }
  /// The id of the document that emitted the row.
  public var id: String { position.id }

  static let columns = "sort, id, number, key, value"

  init(position: ViewPosition, key: [UInt8], value: ViewValue) {
    self.position = position
    self.key = key
    self.value = value
  }

  /// Reads the current row of a statement that selects ``columns``.
  init(_ row: StatementRow) {
    position = ViewPosition(sort: Array(row.blob(0)), id: row.string(1), number: row.int64(2))
    key = Array(row.blob(3))
    value = ViewValue(row, 4)
  }

  /// The approximate size of the row in the file, in bytes.
  var size: Int {
    let valueSize = if case .json(let text) = value { text.count } else { 0 }
    return position.sort.count + position.id.utf8.count + key.count + valueSize + 16
  }
}

extension SQLStatement {
  /// Binds a position to three consecutive parameters.
  func bind(_ first: Int32, _ position: ViewPosition) {
    bind(first, copying: position.sort, asText: false)
    bind(first + 1, copying: Array(position.id.utf8), asText: true)
    bind(first + 2, position.number)
  }
}
