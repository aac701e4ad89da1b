import Foundation
public import JSONText

/// Finds the value at a property path in a document's JSON text, without parsing the rest.
///
/// ```swift
/// let reader = PropertyReader(try PropertyPath("geo.alt"))
/// reader.value(in: bytes)?.kind   // .number
/// ```
///
/// It scans the text once, up to the value. If a key occurs twice in an object, the first occurrence counts, as in
/// ``JSONText/JSONElement``. Keys that contain escapes are found, too. Negative positions count from the end.
///
/// The text must be valid for ``JSONText/JSONParser``. For damaged text the result is meaningless, but nothing outside
/// of the text is read, and the scan terminates. A path with `[]` has no single value, so the result is nil.
///
/// - Complexity: O(n) in the length of the text before the value: 0.1 µs for a property that precedes 1 kB of other
///   properties, 0.3 µs for one that follows them.
public final class PropertyReader {
  private enum Step {
    case key(start: Int, count: Int)
    case position(Int)
  }

  private let steps: [Step]?
  /// The concatenated keys of all steps.
  private let keys: UnsafeMutableBufferPointer<UInt8>

  /// Creates a reader for a path. An empty path is the root.
  public init(_ path: PropertyPath) {
    var bytes: [UInt8] = []
    var steps: [Step] = []
    var hasSingleValue = true
    for component in path.components {
      switch component {
      case .key(let key):
        steps.append(.key(start: bytes.count, count: key.utf8.count))
        bytes.append(contentsOf: key.utf8)
      case .position(let position): steps.append(.position(position))
      case .each: hasSingleValue = false
      }
    }
    self.steps = hasSingleValue ? steps : nil
    keys = .allocate(capacity: max(bytes.count, 1))
    _ = keys.initialize(from: bytes)
  }

  deinit { keys.deallocate() }

  /// Returns the value at the path; nil if there is none.
  ///
  /// - Returns: a view of the text, valid as long as the text is.
  public func value(in text: UnsafeRawBufferPointer) -> JSONSlice? {
    guard let steps, let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let scanner = JSONScanner(end: base + text.count)
    var offset = scanner.skipSpace(base)
    for step in steps {
      let next: UnsafePointer<UInt8>?
      switch step {
      case .key(let start, let count):
        next = member(UnsafeBufferPointer(rebasing: keys[start..<(start + count)]), at: offset, scanner)
      case .position(let position): next = element(position, at: offset, scanner)
      }
      guard let next else { return nil }
      offset = next
    }
    return JSONSlice(at: offset, scanner)
  }

  /// Returns the value of the member with this key in the object at `start`.
  private func member(
    _ key: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, _ scanner: JSONScanner
  ) -> UnsafePointer<UInt8>? {
    let end = scanner.end
    guard start < end, start.pointee == UInt8(ascii: "{"), let keyBytes = key.baseAddress else { return nil }
    var offset = scanner.skipSpace(start + 1)
    while offset < end, offset.pointee == UInt8(ascii: "\"") {
      let name = offset + 1
      var close = name
      var hasEscapes = false
      while close < end, close.pointee != UInt8(ascii: "\"") {
        if close.pointee == UInt8(ascii: "\\") {
          hasEscapes = true
          close += 1
        }
        close += 1
      }
      guard close < end else { return nil }
      let length = close - name
      let isFound =
        hasEscapes
        ? JSONString.equals(UnsafeRawBufferPointer(start: name, count: length), UnsafeRawBufferPointer(key))
        : length == key.count && memcmp(name, keyBytes, length) == 0
      offset = scanner.skipSpace(close + 1)
      guard offset < end, offset.pointee == UInt8(ascii: ":") else { return nil }
      offset = scanner.skipSpace(offset + 1)
      if isFound { return offset }
      offset = scanner.skipSpace(scanner.endOfValue(offset))
      guard offset < end, offset.pointee == UInt8(ascii: ",") else { return nil }
      offset = scanner.skipSpace(offset + 1)
    }
    return nil
  }

  /// Returns the element at a position of the array at `start`.
  private func element(
    _ position: Int, at start: UnsafePointer<UInt8>, _ scanner: JSONScanner
  ) -> UnsafePointer<UInt8>? {
    var remaining = position
    if remaining < 0 {
      var count = 0
      forEachElement(at: start, scanner) { _ in
        count += 1
        return true
      }
      // -Int.min overflows; this sum does not.
      remaining += count
      if remaining < 0 { return nil }
    }
    var found: UnsafePointer<UInt8>?
    forEachElement(at: start, scanner) { offset in
      if remaining == 0 { found = offset }
      remaining -= 1
      return found == nil
    }
    return found
  }

  private func forEachElement(
    at start: UnsafePointer<UInt8>, _ scanner: JSONScanner, _ body: (UnsafePointer<UInt8>) -> Bool
  ) {
    let end = scanner.end
    guard start < end, start.pointee == UInt8(ascii: "[") else { return }
    var offset = scanner.skipSpace(start + 1)
    while offset < end, !JSONScanner.closes(offset.pointee), body(offset) {
      offset = scanner.skipSpace(scanner.endOfValue(offset))
      guard offset < end, offset.pointee == UInt8(ascii: ",") else { return }
      offset = scanner.skipSpace(offset + 1)
    }
  }
}
