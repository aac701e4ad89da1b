/// A statement and its parameters `$1`, `$2` and so on.
package struct PostgresStatement: Hashable, Sendable {
  /// The text, by which the connection caches the prepared statement: the same text has the same types of parameters.
  package let text: String
  /// The parameters.
  package let parameters: [PostgresValue]
  /// Whether the connection caches the prepared statement. Statements whose texts are never used again are not cached.
  package let isCached: Bool

  /// Creates a statement.
  package init(_ text: String, _ parameters: [PostgresValue] = [], isCached: Bool = true) {
    self.text = text
    self.parameters = parameters
    self.isCached = isCached
  }
}

/// The parameters of a statement as libpq reads them: one buffer, and the position and length of each value in it.
struct EncodedParameters {
  private var buffer: [UInt8] = []
  private var ranges: [Range<Int>?] = []

  init(_ values: [PostgresValue]) {
    ranges.reserveCapacity(values.count)
    for value in values {
      let start = buffer.count
      // An empty value also needs an address: NULL would be SQL's null.
      ranges.append(value.append(to: &buffer) ? start..<buffer.count : nil)
    }
    buffer.append(0)
  }

  /// Calls `body` with the count, addresses, lengths and formats.
  func withPointers<T>(
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> T
  ) -> T {
    buffer.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      let addresses = ranges.map { range in range.flatMap { range in start.map { $0 + range.lowerBound } } }
      let lengths = ranges.map { Int32(clamping: $0?.count ?? 0) }
      let formats = [Int32](repeating: 1, count: ranges.count)
      return addresses.withUnsafeBufferPointer { addresses in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in
            body(Int32(clamping: ranges.count), addresses.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}
