/// What can be told of a pattern by looking at its text.
enum PatternSpelling {
  /// Whether a pattern holds an upper-case letter that stands for itself, or in a class.
  ///
  /// What follows a backslash does not count (`\W`, `\pL`, `\x{4A}`), nor do the names of groups.
  static func holdsUpperCase(_ pattern: String, isLiteral: Bool) -> Bool {
    var scalars = Substring(pattern).unicodeScalars
    while let scalar = scalars.popFirst() {
      if !isLiteral, scalar == "\\" {
        skipEscape(&scalars)
      } else if !isLiteral, scalar == "(", let end = endOfName(scalars) {
        scalars = scalars[end...]
      } else if scalar.properties.isUppercase {
        return true
      }
    }
    return false
  }

  /// Whether a pattern asks for U+000A, as itself or as `\n`, where no class could mean another character.
  static func asksForLineBreak(_ pattern: String, isLiteral: Bool) -> Bool {
    if isLiteral { return pattern.utf8.contains(0x0A) }
    var isInClass = false
    var previous: UInt8 = 0
    var bytes = Substring(pattern).utf8
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        if bytes.popFirst() == UInt8(ascii: "n"), !isInClass { return true }
      // In extended patterns, line breaks are layout.
      case 0x0A where !isInClass: if !pattern.contains(/\(\?[a-zA-Z^]*x/) { return true }
      // A bracket in the first place of a class does not close it.
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]") where previous != UInt8(ascii: "[") && previous != UInt8(ascii: "^"): isInClass = false
      default: break
      }
      previous = byte
    }
    return false
  }

  private static func skipEscape(_ scalars: inout Substring.UnicodeScalarView) {
    guard let escape = scalars.popFirst() else { return }
    guard ["p", "P", "x", "o", "N", "g", "k"].contains(escape), scalars.first == "{" else {
      // The letter of a property that has one, such as \pL.
      if escape == "p" || escape == "P" { scalars = scalars.dropFirst() }
      return
    }
    while let scalar = scalars.popFirst(), scalar != "}" {}
  }

  /// Where the name of a group ends whose parenthesis was read, or nil for a group without one.
  private static func endOfName(_ scalars: Substring.UnicodeScalarView) -> String.Index? {
    for (opening, closing) in [("?<", ">"), ("?P<", ">"), ("?'", "'")] as [(String, Unicode.Scalar)] {
      guard scalars.starts(with: opening.unicodeScalars) else { continue }
      let name = scalars.dropFirst(opening.unicodeScalars.count)
      guard let first = name.first, first != "=", first != "!" else { continue }
      return name.firstIndex(of: closing)
    }
    return nil
  }
}
