import PatternMatching

/// A template for replacing matches, in ripgrep's syntax: `$1` and `$name` for groups, `${1}` and `${name}` if a letter
/// follows, `$0` for the match, `$$` for a dollar.
///
/// A name consists of ASCII letters, digits and `_`. Without braces, it extends as far as possible: `$1a` is the group
/// named `1a`. A group that does not exist is empty. Any other `$`, such as that of `${a b}`, is literal.
public struct LineReplacement: Hashable, Sendable {
  let template: ReplacementTemplate

  /// Creates a replacement from a template. Any text is a valid template.
  public init(_ text: String) {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      bytes.append(byte)
      guard byte == UInt8(ascii: "$") else { continue }
      if let (name, end) = LineReplacement.reference(in: rest) {
        bytes += [UInt8(ascii: "{")] + name + [UInt8(ascii: "}")]
        rest = end
      } else {
        // A literal dollar is `$$` in both templates.
        bytes.append(byte)
        if rest.first == byte { rest = rest.dropFirst() }
      }
    }
    template = ReplacementTemplate(String(decoding: bytes, as: UTF8.self))
  }

  private typealias Text = Substring.UTF8View

  /// Returns the name of the group to which the text after a dollar refers, and the text after the reference; nil if it
  /// is not a reference.
  private static func reference(in text: Text) -> (name: Text, rest: Text)? {
    let isInBraces = text.first == UInt8(ascii: "{")
    let start = isInBraces ? text.dropFirst() : text
    let name = start.prefix { $0 == UInt8(ascii: "_") || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
    let rest = start.dropFirst(name.count)
    guard !name.isEmpty, !isInBraces || rest.first == UInt8(ascii: "}") else { return nil }
    return (name, isInBraces ? rest.dropFirst() : rest)
  }
}

/// A line with its matches replaced.
public struct ReplacedLine: Hashable, Sendable {
  /// The line, line break included.
  public internal(set) var bytes: [UInt8] = []
  /// The ranges of the replacements in ``bytes``.
  public internal(set) var matches: [Range<Int>] = []
}
