import CICU

/// Compares strings by a collation.
///
/// ```swift
/// let collator = try Collator(CollationOptions(isUnicode: true, ignoresAccents: true))
/// collator.compare("cafe", "café")   // 0
/// ```
///
/// An instance must be used on one thread.
public final class Collator {
  /// The collation.
  public let options: CollationOptions

  /// ICU's collator; nil without ``CollationOptions/isUnicode``.
  private let handle: OpaquePointer?

  /// Creates a collator.
  ///
  /// For a locale that ICU does not know, the root order is used.
  ///
  /// - Throws: ``AnalyzerError/unicodeDataUnavailable(service:code:)`` if ICU's collation data is missing.
  public init(_ options: CollationOptions) throws {
    self.options = options
    guard options.isUnicode else {
      handle = nil
      return
    }
    // Case is a tertiary difference and accents are a secondary one. Ignoring accents but not case requires a separate
    // case level, as in Couchbase Lite.
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

  /// Compares two UTF-8 strings.
  ///
  /// - Returns: A number less than 0 if `one` comes first, 0 if both are equal, otherwise a number greater than 0.
  public func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    guard let handle else {
      return options.ignoresCase ? compareFolded(one, other) : compareBytes(one, other)
    }
    var nothing: UInt8 = 0
    return withUnsafePointer(to: &nothing) { empty in
      // ICU's lengths are 32-bit; strings in SQLite are not longer.
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

  /// Returns a sort key. Equal strings have equal keys, and the bytewise order of keys is the order of their strings.
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

/// Converts an ASCII uppercase letter to lower case and returns any other byte unchanged.
@inline(__always)
private func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
