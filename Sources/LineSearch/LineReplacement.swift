import PatternMatching

/// A template for replacing matches, in ripgrep's syntax: `$1` and `$name` for groups, `${1}` and `${name}` if a letter
/// follows, `$0` for the match, `$$` for a dollar.
///
/// A name without braces extends as far as possible: `$1a` is the group named `1a`. A group that does not exist is
/// empty.
public struct LineReplacement: Hashable, Sendable {
  let template: ReplacementTemplate

  /// Creates a replacement from a template. Any text is a valid template.
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
  /// The ranges of the replacements in ``bytes``.
  public internal(set) var matches: [Range<Int>] = []
}
