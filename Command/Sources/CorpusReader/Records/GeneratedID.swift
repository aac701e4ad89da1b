/// How documents are named that have no id of their own.
///
/// The place in a file identifies a record as long as the file does. A stream has no identity, and another one has other records at
/// the same places, so its documents are named by their content: the same document read again has the same id, and a different one
/// never has it.
enum GeneratedID {
  /// The path with the place in the file.
  case location
  /// The path with a checksum of the content.
  case content

  /// The id of a record: its path and line, and an ordinal from the second record on that begins on the line; or its path and the
  /// checksum of its JSON text.
  func id(of json: [UInt8], path: String, line: Int, ordinal: Int = 1) -> String {
    switch self {
    case .location: RecordIdentity.location(path, line: line, ordinal: ordinal)
    case .content: json.withUnsafeBytes { GeneratedID.contentID($0, path: path) }
    }
  }

  /// `stdin:` and 32 hexadecimal digits.
  static func contentID(_ content: UnsafeRawBufferPointer, path: String) -> String {
    let digits = String(checksum(content), radix: 16)
    return "\(path):" + String(repeating: "0", count: 32 - digits.count) + digits
  }

  /// FNV-1a with 128 bits: the same in every run, as the standard library's hashes are not, and long enough that two documents of
  /// one corpus do not share it by chance. One that shares it on purpose is kept as a copy with a number.
  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
    let offset = UInt128(0x6c62_272e_07bb_0142) << 64 | UInt128(0x62b8_2175_6295_c58d)
    let prime = UInt128(1) << 88 | UInt128(0x13b)
    return bytes.reduce(offset) { ($0 ^ UInt128($1)) &* prime }
  }
}
