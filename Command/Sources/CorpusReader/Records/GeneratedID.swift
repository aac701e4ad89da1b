/// Generates ids for documents without an id.
///
/// The location in a file identifies a record as long as the file exists. A stream has no identity, and another stream
/// contains different records at the same locations. Documents of a stream are therefore identified by their content:
/// the same document read again gets the same id, a different document never does.
enum GeneratedID {
  /// The path and the location in the file.
  case location
  /// The path and a checksum of the content.
  case content

  /// Returns the id of a record: its path and line, with an ordinal from the second record that begins on the line; or
  /// its path and the checksum of its JSON text.
  func id(of json: [UInt8], path: String, line: Int, ordinal: Int = 1) -> String {
    switch self {
    case .location: RecordIdentity.location(path, line: line, ordinal: ordinal)
    case .content: json.withUnsafeBytes { GeneratedID.contentID($0, path: path) }
    }
  }

  /// Returns `stdin:` and 32 hexadecimal digits.
  static func contentID(_ content: UnsafeRawBufferPointer, path: String) -> String {
    let digits = String(checksum(content), radix: 16)
    return "\(path):" + String(repeating: "0", count: 32 - digits.count) + digits
  }

  /// Computes 128-bit FNV-1a: unlike the hashes of the standard library it is the same in every run, and it is long
  /// enough that two documents of a corpus do not collide by chance. A document with a deliberate collision is stored
  /// as a numbered copy.
  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
    let offset = UInt128(0x6c62_272e_07bb_0142) << 64 | UInt128(0x62b8_2175_6295_c58d)
    let prime = UInt128(1) << 88 | UInt128(0x13b)
    return bytes.reduce(offset) { ($0 ^ UInt128($1)) &* prime }
  }
}
