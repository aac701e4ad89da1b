/// Tells whether all of a text can be searched for lines that match by themselves, which is many times faster than matching
/// line by line.
///
/// A search of the text finds the first place where the pattern matches. That is good for finding lines where, at each place,
/// what matches on the line by itself matches in the text as well. Then no line is passed over, and where the match cannot
/// hold a line break, it is the same. It is so for literals, classes, groups, alternatives, repetition that gives back, `^`,
/// `$` and `\b`. It is not for what looks around, what gives nothing back, and what asks for the ends of the text.
///
/// A class of the form `[^…]` gets the line break among what it leaves out. For lines that changes nothing, and a match ends
/// with its line. What is not known for certain is not safe.
struct LineSafety {
  static let noWordBefore = #"(?<!\w)"#
  static let noWordBehind = #"(?!\w)"#

  /// The pattern to search with.
  let text: String
  /// Whether a match of ``text`` may hold a line break.
  let mayHoldNewline: Bool
  /// Whether a match of the pattern as it was written may hold a line break, where `.` is none.
  let mayReachAcrossLines: Bool

  /// What is known of text that is found as it stands.
  init(literal text: String) {
    self.text = text
    mayHoldNewline = text.utf8.contains(0x0A)
    mayReachAcrossLines = mayHoldNewline
  }

  /// Reads a pattern; nil for one that is not known to be safe.
  init?(_ pattern: String) {
    var reader = Reader(rest: Array(pattern.utf8)[...])
    guard reader.readAll() else { return nil }
    text = String(decoding: reader.result, as: UTF8.self)
    mayHoldNewline = reader.mayHoldNewline
    mayReachAcrossLines = reader.mayHoldNewline || reader.hasNegatedClass
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>
    var result: [UInt8] = []
    var mayHoldNewline = false
    var hasNegatedClass = false

    mutating func readAll() -> Bool {
      while let byte = rest.first {
        let isSafe: Bool
        switch byte {
        case UInt8(ascii: "\\"): isSafe = readEscape(inClass: false)
        case UInt8(ascii: "["): isSafe = readClass()
        case UInt8(ascii: "("): isSafe = readGroup()
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "}"):
          take()
          // What a possessive repetition takes it does not give back.
          isSafe = rest.first != UInt8(ascii: "+")
        case 0..<0x20: isSafe = false
        default:
          take()
          isSafe = true
        }
        if !isSafe { return false }
      }
      return true
    }

    private mutating func take(_ count: Int = 1) {
      result.append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
    }

    private mutating func take(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      take(text.utf8.count)
      return true
    }

    private mutating func readEscape(inClass: Bool) -> Bool {
      guard let escape = rest.dropFirst().first else { return false }
      switch escape {
      case UInt8(ascii: "s"), UInt8(ascii: "W"): mayHoldNewline = true
      case UInt8(ascii: "b"), UInt8(ascii: "B"): if inClass { return false }
      case UInt8(ascii: "w"), UInt8(ascii: "d"), UInt8(ascii: "S"), UInt8(ascii: "h"), UInt8(ascii: "t"),
        UInt8(ascii: "r"):
        break
      // Punctuation stands for itself.
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: break
      default: return false
      }
      take(2)
      // A range that begins with an escape may reach over the line break.
      return !inClass || rest.first != UInt8(ascii: "-") || rest.dropFirst().first == UInt8(ascii: "]")
    }

    private mutating func readGroup() -> Bool {
      if take(LineSafety.noWordBefore) || take(LineSafety.noWordBehind) || take("(?:") || take("(?i)") || take("(?i:") {
        return true
      }
      guard rest.starts(with: "(?".utf8) || rest.starts(with: "(*".utf8) else {
        take()
        return true
      }
      for opening in ["(?<", "(?P<"] where rest.starts(with: opening.utf8) {
        let name = rest.dropFirst(opening.utf8.count).prefix { $0 != UInt8(ascii: ">") }
        let isName = name.allSatisfy { $0 == UInt8(ascii: "_") || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
        guard isName, !name.isEmpty else { continue }
        take(opening.utf8.count + name.count + 1)
        return true
      }
      return false
    }

    private mutating func readClass() -> Bool {
      take()
      let isNegated = rest.first == UInt8(ascii: "^")
      let wasHoldingNewline = mayHoldNewline
      if isNegated {
        hasNegatedClass = true
        take()
        result += Array(#"\n"#.utf8)
      }
      // A closing bracket in the first place would stand for itself.
      guard rest.first != UInt8(ascii: "]") else { return false }
      while let byte = rest.first {
        switch byte {
        case UInt8(ascii: "]"):
          take()
          if isNegated { mayHoldNewline = wasHoldingNewline }
          return true
        case UInt8(ascii: "\\"): if !readEscape(inClass: true) { return false }
        case UInt8(ascii: "[") where [0x3A, 0x2E, 0x3D].contains(rest.dropFirst().first):
          let names = ["alpha", "digit", "alnum", "upper", "lower", "punct", "xdigit", "word", "blank"]
          if !names.contains(where: { take("[:\($0):]") }) { return false }
        case 0..<0x20: return false
        default: take()
        }
      }
      return false
    }
  }
}
