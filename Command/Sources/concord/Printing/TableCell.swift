/// A cell of a table.
struct TableCell {
  enum Kind {
    case text
    case number
    /// No value, or null: it does not determine the alignment of its column.
    case nothing
  }

  /// The text on one line, safe for a terminal.
  let text: String
  /// The width in columns.
  let width: Int
  let kind: Kind

  /// Creates a cell from any text.
  ///
  /// - Parameter columns: the maximum number of shown columns; longer text is truncated.
  init(_ text: String, _ kind: Kind, columns: Int? = nil) {
    (self.text, width) = TerminalText.escaped(text, columns: columns)
    self.kind = kind
  }

  /// Creates a cell from a value: strings without quotation marks, and nothing for a missing value.
  init(_ value: RowValue, columns: Int?) {
    switch value {
    case .missing: self.init("", .nothing)
    case .null: self.init("null", .nothing)
    case .string(let text), .other(let text): self.init(text, .text, columns: columns)
    case .number(let text): self.init(text, .number)
    }
  }
}
