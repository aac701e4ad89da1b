/// Collects the strings that the cells of a workbook refer to by number. Phonetic text (`rPh`) is not displayed.
final class SharedStrings: XMLHandler {
  private(set) var values: [String] = []
  private var current = ""
  private var isInText = false
  private var isPhonetic = false

  func start(_ name: String, _ attributes: [String: String]) {
    if name == "si" { current = "" }
    if name == "rPh" { isPhonetic = true }
    if name == "t" { isInText = true }
  }

  func end(_ name: String) {
    if name == "si" { values.append(EscapedText.decode(current)) }
    if name == "rPh" { isPhonetic = false }
    if name == "t" { isInText = false }
  }

  func text(_ text: String) {
    if isInText, !isPhonetic { current += text }
  }
}

/// Characters that XML does not allow, such as a carriage return, in strings of a workbook (ECMA-376, part 1,
/// `ST_Xstring`).
enum EscapedText {
  /// Decodes `_xHHHH_`. A control character becomes a space.
  static func decode(_ text: String) -> String {
    guard text.contains("_x") else { return text }
    return text.replacing(/_x([0-9A-Fa-f]{4})_/) { match in
      guard let number = UInt32(match.1, radix: 16), let scalar = Unicode.Scalar(number) else { return String(match.0) }
      return number < 0x20 ? " " : String(Character(scalar))
    }
  }
}
