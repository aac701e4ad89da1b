import JSONText

/// A string, number or Boolean as a slice of JSON text.
enum ScalarSlice {
  case boolean(Bool)
  case number(JSONNumber)
  /// The text of a string between its quotes, which may contain escapes if `hasEscapes` is true.
  case string(UnsafeRawBufferPointer, hasEscapes: Bool)

  /// Returns nil for null, arrays and objects.
  init?(_ slice: JSONSlice) {
    switch slice.kind {
    case .boolean: self = .boolean(slice.boolean)
    case .number: self = .number(slice.number)
    case .string: self = .string(slice.text, hasEscapes: slice.hasEscapes)
    case .null, .array, .object: return nil
    }
  }
}

/// Reads the strings, numbers and Booleans at a path, including the elements of arrays: `type`, `tags`,
/// `reviews[].author`.
final class ScalarReader {
  /// Readers of the parts of the path between `[]`.
  private let parts: [PropertyReader]

  init(_ path: PropertyPath) {
    parts = path.components.split(separator: .each, omittingEmptySubsequences: false)
      .map { PropertyReader(PropertyPath(Array($0))) }
  }

  /// Calls `body` with each value in a JSON text.
  func forEach(in text: UnsafeRawBufferPointer, _ body: (ScalarSlice) -> Void) {
    descend(into: text, part: 0, body)
  }

  /// Calls `body` with a value, or with the elements of an array.
  static func forEach(of slice: JSONSlice, _ body: (ScalarSlice) -> Void) {
    guard slice.kind == .array else {
      if let scalar = ScalarSlice(slice) { body(scalar) }
      return
    }
    forEachElement(of: slice) { element in
      if let scalar = JSONSlice(element).flatMap({ ScalarSlice($0) }) { body(scalar) }
    }
  }

  private func descend(into text: UnsafeRawBufferPointer, part: Int, _ body: (ScalarSlice) -> Void) {
    guard let slice = parts[part].value(in: text) else { return }
    if part == parts.count - 1 { return ScalarReader.forEach(of: slice, body) }
    guard slice.kind == .array else { return }
    ScalarReader.forEachElement(of: slice) { descend(into: $0, part: part + 1, body) }
  }

  private static func forEachElement(of array: JSONSlice, _ body: (UnsafeRawBufferPointer) -> Void) {
    var scanner = JSONContainerScanner(array.text, of: array.text.indices)
    while let item = scanner.next() { body(UnsafeRawBufferPointer(rebasing: array.text[item.value])) }
  }
}
