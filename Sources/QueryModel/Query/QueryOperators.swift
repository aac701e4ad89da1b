/// The operators of arithmetic. Two integers divide to an integer; the function `DIV` divides to a fraction.
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

/// How many elements of an array must satisfy a condition.
public enum Quantifier: String, Hashable, Sendable, CaseIterable {
  /// At least one.
  case any = "ANY"
  /// All of them; true for an empty array.
  case every = "EVERY"
  /// All of them, and there is at least one.
  case anyAndEvery = "ANY AND EVERY"
}

/// What is known about a document beside its properties. The raw value is the name in SQL++.
public enum MetadataField: String, Hashable, Sendable, CaseIterable {
  case id
  case sequence
  case revisionID
  /// Whether it is a tombstone. Tombstones are found only where this is asked for.
  case deleted
  case expiration
}
