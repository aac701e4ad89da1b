import Concordance

/// The text and the type of a value in a row.
enum RowValue: Equatable {
  case missing
  case null
  case string(String)
  case number(String)
  /// A boolean, or an array or object as JSON on one line.
  case other(String)

  init(_ row: Result, _ column: Int) {
    guard let json = row.json(at: column), let first = json.utf8.first else {
      self = .missing
      return
    }
    switch first {
    case UInt8(ascii: "\""): self = .string(row.string(at: column) ?? "")
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number(json)
    default: self = .other(JSONLayout.compact(json))
    }
  }
}
