import PatternMatching

/// What takes the place of a match, in ripgrep's language: `$1` and `$name` for groups, `${1}` and `${name}` where a letter
/// follows, `$0` for the match, `$$` for a dollar.
///
/// A name without braces is as long as it can be: `$1a` is the group called `1a`. A group that there is not is empty.
public struct LineReplacement: Hashable, Sendable {
  let template: ReplacementTemplate

  /// Reads a template. Every text is one.
  public init(_ text: String) {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      bytes.append(byte)
      guard byte == UInt8(ascii: "$") else { continue }
      if rest.first == byte {
        bytes.append(byte)
        rest = rest.dropFirst()
        continue
      }
      let name = rest.prefix { $0 == UInt8(ascii: "_") || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
      guard !name.isEmpty else { continue }
      bytes += [UInt8(ascii: "{")] + name + [UInt8(ascii: "}")]
      rest = rest.dropFirst(name.count)
    }
    template = ReplacementTemplate(String(decoding: bytes, as: UTF8.self))
  }
}

/// A line with its matches replaced.
public struct ReplacedLine: Hashable, Sendable {
  /// The line, line break included.
  public internal(set) var bytes: [UInt8] = []
  /// Where what took the places of the matches stands, in ``bytes``.
  public internal(set) var matches: [Range<Int>] = []
}
