import QueryCompiler

extension ColumnValue {
  /// The approximate size of the value in memory, in bytes.
  var size: Int {
    switch self {
    case .string(let text): 16 + text.utf8.count
    case .container(let json): 16 + json.count
    case .missing, .null, .boolean, .integer, .double: 16
    }
  }
}

extension [ColumnValue] {
  /// The approximate size of a row in memory, in bytes.
  var size: Int { reduce(0) { $0 + $1.size } }
}

extension Result {
  /// The approximate size of the row in memory, in bytes.
  @_spi(Command) public var size: Int { values.size }
}
