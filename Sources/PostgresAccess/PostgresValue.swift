/// A parameter of a statement, or a field of a row to copy, sent in PostgreSQL's binary format.
///
/// A parameter has the type of its case: an `int8` can be compared with and assigned to a smaller integer column. COPY
/// converts nothing, so a field must have exactly the type of its column.
package enum PostgresValue: Hashable, Sendable {
  /// NULL, for any type.
  case null
  /// `int8`
  case int64(Int64)
  /// `int4`
  case int32(Int32)
  /// `int2`
  case int16(Int16)
  /// `bool`
  case bool(Bool)
  /// `float8`
  case double(Double)
  /// `text`, which cannot contain U+0000.
  case text(String)
  /// `bytea`
  case bytes([UInt8])
  /// `int8[]`
  case int64s([Int64])
  /// `int4[]`
  case int32s([Int32])
  /// `text[]`
  case texts([String])
  /// `bytea[]`
  case byteArrays([[UInt8]])

  /// The object id of the type, from the catalog `pg_type`; 0 lets the server infer it.
  var type: UInt32 {
    switch self {
    case .null: 0
    case .int64: 20
    case .int32: 23
    case .int16: 21
    case .bool: 16
    case .double: 701
    case .text: 25
    case .bytes: 17
    case .int64s: 1016
    case .int32s: 1007
    case .texts: 1009
    case .byteArrays: 1001
    }
  }

  /// Appends the binary format to a buffer; returns false for NULL, which has none.
  func append(to buffer: inout [UInt8]) -> Bool {
    switch self {
    case .null: return false
    case .int64(let number): buffer.append(bigEndian: number)
    case .int32(let number): buffer.append(bigEndian: number)
    case .int16(let number): buffer.append(bigEndian: number)
    case .bool(let flag): buffer.append(flag ? 1 : 0)
    case .double(let number): buffer.append(bigEndian: number.bitPattern)
    case .text(let text): buffer.append(contentsOf: text.utf8)
    case .bytes(let bytes): buffer.append(contentsOf: bytes)
    case .int64s(let numbers):
      buffer.appendArray(of: 20, numbers) { $0.append(bigEndian: $1) }
    case .int32s(let numbers):
      buffer.appendArray(of: 23, numbers) { $0.append(bigEndian: $1) }
    case .texts(let texts):
      buffer.appendArray(of: 25, texts) { $0.append(contentsOf: $1.utf8) }
    case .byteArrays(let arrays):
      buffer.appendArray(of: 17, arrays) { $0.append(contentsOf: $1) }
    }
    return true
  }
}

extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends the length of what `body` appends, and that.
  mutating func appendWithLength(_ body: (inout [UInt8]) -> Void) {
    let start = count
    append(bigEndian: Int32(0))
    body(&self)
    let length = Int32(clamping: count - start - 4)
    Swift.withUnsafeBytes(of: length.bigEndian) { bytes in
      for (offset, byte) in bytes.enumerated() { self[start + offset] = byte }
    }
  }

  /// Appends an array with one dimension whose elements are not NULL (`array_recv` in PostgreSQL's sources).
  fileprivate mutating func appendArray<Item>(
    of type: UInt32, _ elements: [Item], _ appendElement: (inout [UInt8], Item) -> Void
  ) {
    append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
    append(bigEndian: Int32(0))
    append(bigEndian: type)
    guard !elements.isEmpty else { return }
    append(bigEndian: Int32(clamping: elements.count))
    append(bigEndian: Int32(1))
    for element in elements { appendWithLength { appendElement(&$0, element) } }
  }
}
