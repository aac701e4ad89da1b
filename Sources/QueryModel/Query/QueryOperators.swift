/// The arithmetic operators. `/` of two integers returns an integer; the function `DIV` returns a fraction.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
}

/// The operators that compare two values.
public enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// The number of elements of an array that must satisfy a condition.
public enum Quantifier: String, Hashable, Sendable, CaseIterable {
  /// At least one.
  case any = "ANY"
  /// All of them; true for an empty array.
  case every = "EVERY"
  /// All of them; false for an empty array.
  case anyAndEvery = "ANY AND EVERY"
}

/// The metadata of a document. The raw value is the name in SQL++.
public enum MetadataField: String, Hashable, Sendable, CaseIterable {
  case id
  case sequence
  case revisionID
  /// Whether the document is a tombstone. Queries return tombstones only if they use this field.
  case deleted
  case expiration
}
