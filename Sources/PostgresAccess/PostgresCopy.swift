/// The rows of a COPY in binary format ("COPY", section "Binary Format", of the manual), collected in a buffer.
package struct PostgresCopyRows {
  private(set) var buffer: [UInt8]
  /// The number of rows.
  package private(set) var count = 0

  /// Creates an empty list.
  package init() {
    // The signature, flags and the length of the header's extension.
    buffer = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  }

  /// The size in bytes.
  package var size: Int { buffer.count }

  /// Appends a row, whose fields have the types of the columns.
  package mutating func append(_ fields: [PostgresValue]) {
    buffer.append(bigEndian: Int16(clamping: fields.count))
    for field in fields {
      if case .null = field {
        buffer.append(bigEndian: Int32(-1))
      } else {
        buffer.appendWithLength { _ = field.append(to: &$0) }
      }
    }
    count += 1
  }
}
