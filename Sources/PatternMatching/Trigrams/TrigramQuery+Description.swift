extension TrigramQuery: CustomStringConvertible {
  /// A readable form of the expression: `("spin_" AND ("lock_" OR "unlock_"))`. Consecutive trigrams are written as one
  /// string. Bytes that are not valid UTF-8 are written as `\xNN`.
  public var description: String {
    switch self {
    case .all: "ALL"
    case .none: "NONE"
    case .trigram(let trigram): TrigramQuery.quoted(trigram.bytes)
    case .and(let parts):
      TrigramQuery.list(TrigramQuery.merged(parts), " AND ")
    case .or(let parts): TrigramQuery.list(parts.map(\.description), " OR ")
    }
  }

  private static func list(_ parts: [String], _ separator: String) -> String {
    parts.count == 1 ? parts[0] : "(" + parts.joined(separator: separator) + ")"
  }

  /// Returns the parts of a conjunction, with consecutive trigrams combined.
  private static func merged(_ parts: [TrigramQuery]) -> [String] {
    var strings: [String] = []
    var run: [UInt8] = []
    func flush() {
      if !run.isEmpty { strings.append(quoted(run)) }
      run = []
    }
    for part in parts {
      guard case .trigram(let trigram) = part else {
        flush()
        strings.append(part.description)
        continue
      }
      if run.suffix(2).elementsEqual(trigram.bytes.prefix(2)) {
        run.append(trigram.bytes[2])
      } else {
        flush()
        run = trigram.bytes
      }
    }
    flush()
    return strings
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    var text = "\""
    var rest = bytes[...]
    while let byte = rest.first {
      let length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      if let character = String(validating: rest.prefix(length), as: UTF8.self), byte >= 0x20, byte != 0x7F {
        text += byte == 0x22 || byte == 0x5C ? "\\" + character : character
        rest = rest.dropFirst(length)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "\\x" + (digits.count < 2 ? "0" : "") + digits
        rest = rest.dropFirst()
      }
    }
    return text + "\""
  }
}
