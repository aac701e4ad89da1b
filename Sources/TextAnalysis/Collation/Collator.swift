import CICU

/// Compares strings by a collation.
///
/// ```swift
/// let collator = try Collator(CollationOptions(isUnicode: true, ignoresAccents: true))
/// collator.compare("cafe", "café")   // 0
/// ```
///
/// It belongs to one thread.
public final class Collator {
  /// The collation.
  public let options: CollationOptions

  /// ICU's collator, for Unicode's order.
  private let handle: OpaquePointer?

  /// Makes a collator.
  ///
  /// - Throws: ``AnalyzerError/unicodeDataUnavailable(service:code:)`` when ICU has no data for it. A locale that ICU does
  ///   not know has the common order.
  public init(_ options: CollationOptions) throws {
    self.options = options
    guard options.isUnicode else {
      handle = nil
      return
    }
    // Case is the third difference and accents are the second. To ignore accents but not case takes a level of its own,
    // as in Couchbase Lite.
    let strength: CICUStrength =
      options.ignoresAccents ? .primary : options.ignoresCase ? .secondary : .tertiary
    var code: Int32 = 0
    let locale = options.isWellFormed ? options.locale ?? "" : ""
    guard
      let opened = cicu_openCollator(locale, strength, options.ignoresAccents && !options.ignoresCase, &code)
    else { throw AnalyzerError.unicodeDataUnavailable(service: "collation", code: Int(code)) }
    handle = opened
  }

  deinit {
    if let handle { cicu_closeCollator(handle) }
  }

  /// Less than 0 when `one` comes first, 0 when both are equal, and more than 0 otherwise. Both are UTF-8.
  public func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    guard let handle else {
      return options.ignoresCase ? compareFolded(one, other) : compareBytes(one, other)
    }
    var nothing: UInt8 = 0
    return withUnsafePointer(to: &nothing) { empty in
      // ICU counts in 32 bits; no string in SQLite is longer.
      Int(
        cicu_compare(
          handle, one.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? empty, Int32(clamping: one.count),
          other.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? empty, Int32(clamping: other.count)))
    }
  }

  /// Compares two strings. See ``compare(_:_:)-(UnsafeRawBufferPointer,_)``.
  public func compare(_ one: String, _ other: String) -> Int {
    var one = one
    var other = other
    return one.withUTF8 { first in
      other.withUTF8 { compare(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer($0)) }
    }
  }

  /// Bytes that are equal for strings that are, and in order for strings that are not.
  public func sortKey(_ text: String) -> [UInt8] {
    guard let handle else { return options.ignoresCase ? text.utf8.map(lowercased) : Array(text.utf8) }
    let units = Array(text.utf16)
    var key = [UInt8](repeating: 0, count: units.count * 4 + 32)
    var length = cicu_sortKey(handle, units, Int32(clamping: units.count), &key, Int32(clamping: key.count))
    if length > key.count {
      key = [UInt8](repeating: 0, count: Int(length))
      length = cicu_sortKey(handle, units, Int32(clamping: units.count), &key, length)
    }
    return Array(key.prefix(max(0, Int(length) - 1)))
  }

  private func compareFolded(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    for index in 0..<min(one.count, other.count) {
      let difference = Int(lowercased(one[index])) - Int(lowercased(other[index]))
      if difference != 0 { return difference }
    }
    return one.count - other.count
  }

  private func compareBytes(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    for index in 0..<min(one.count, other.count) where one[index] != other[index] {
      return Int(one[index]) - Int(other[index])
    }
    return one.count - other.count
  }
}

/// The byte with an ASCII capital as a small letter.
@inline(__always)
private func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
