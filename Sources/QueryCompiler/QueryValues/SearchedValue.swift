import DocumentStore
import JSONText
import TextAnalysis

/// A value that is searched for among many values, for IN, ARRAY_CONTAINS and similar functions.
///
/// The results are those of ``QueryValue/compare(_:_:)``, but the canonical text of the searched value is computed only
/// once, and that of another value only if it may be equal.
struct SearchedValue {
  private let value: QueryValue
  private let collator: Collator?
  /// The canonical text of an array or object; empty for other values.
  private let canonical: [UInt8]

  init(_ value: QueryValue, _ collator: Collator? = nil) {
    self.value = value
    self.collator = collator
    canonical =
      switch value {
      case .array, .object: CanonicalJSON.bytes(of: value.json ?? .null)
      default: []
      }
  }

  init(_ value: JSONValue) { self.init(QueryValue(value)) }

  /// Returns whether a value equals the searched one.
  ///
  /// - Parameter call: counts the work, which is proportional to the size of the value if it may be equal.
  func equals(_ other: JSONValue, _ call: inout LongCall) throws -> Bool {
    try call.step()
    switch (value, other) {
    case (.array(let elements), .array(let others)):
      guard elements.count == others.count else { return false }
      return try equalsCanonical(other, &call)
    case (.object, .object): return try equalsCanonical(other, &call)
    case (.array, _), (.object, _), (_, .array), (_, .object): return false
    case (.string(let text), .string(let otherText)):
      try call.step((text.utf8.count + otherText.utf8.count) / LongCall.unitSize)
      return value.compare(.string(otherText), collator) == 0
    case (.string, _), (_, .string): return false
    default: return value.compare(QueryValue(other)) == 0
    }
  }

  private func equalsCanonical(_ other: JSONValue, _ call: inout LongCall) throws -> Bool {
    try call.step(other)
    return CanonicalJSON.bytes(of: other) == canonical
  }
}

extension LongCall {
  /// The number of bytes of text that count as one step.
  static let unitSize = 16

  /// Counts work that is proportional to the size of a value.
  mutating func step(_ value: JSONValue) throws {
    // An element counts as 16 bytes, so a value without text has a step for each element.
    try step(1 + ValueBudget.size(of: value) / LongCall.unitSize)
  }
}
