/// What stands in a place of a table.
struct TableCell {
  enum Kind {
    case text
    case number
    /// No value, or null: it tells nothing about its column.
    case nothing
  }

  /// On one line, and safe for a terminal.
  let text: String
  /// The columns that it takes.
  let width: Int
  let kind: Kind

  /// Makes a cell of any text.
  ///
  /// - Parameter columns: the columns that will be shown at most; of longer text no more than that is kept.
  init(_ text: String, _ kind: Kind, columns: Int? = nil) {
    (self.text, width) = TerminalText.escaped(text, columns: columns)
    self.kind = kind
  }

  /// Makes a cell of a value: strings are bare, and what is missing is empty.
  init(_ value: RowValue, columns: Int?) {
    switch value {
    case .missing: self.init("", .nothing)
    case .null: self.init("null", .nothing)
    case .string(let text), .other(let text): self.init(text, .text, columns: columns)
    case .number(let text): self.init(text, .number)
    }
  }
}
