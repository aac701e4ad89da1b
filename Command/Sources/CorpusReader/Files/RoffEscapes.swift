/// Replaces the escape sequences of roff (groff(7), groff_char(7)) with text.
struct RoffEscapes {
  private var strings: [String: String] = [
    "Aq": "'", "C+": "C++", "lq": "“", "rq": "”", "R": "®", "Tm": "™", "--": "—", "PI": "π", "L\"": "“", "R\"": "”",
    "C`": "", "C'": "", "q": "\"",
  ]
  private static let maximumStringCount = 1000
  private static let maximumStringLength = 1000
  /// The maximum size in bytes of the strings that a page inserts. A reference of three bytes may insert almost
  /// ``maximumStringLength``.
  private static let maximumExpandedSize = 10 << 20
  /// The maximum lengths in bytes of a name and of a delimited argument. They bound the search for a delimiter that is
  /// missing, so that many such escapes do not take quadratic time.
  private static let maximumNameLength = 100
  private static let maximumArgumentLength = 1000

  /// The size in bytes of the strings inserted so far.
  private var expandedSize = 0

  /// Defines a string: `.ds C+ C\fB++\fP`.
  mutating func define(_ request: Substring) {
    let text = request.drop { $0 == " " || $0 == "\t" }
    let name = text.prefix { !$0.isWhitespace }
    let value = text.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
    guard strings.count < RoffEscapes.maximumStringCount, value.utf8.count < RoffEscapes.maximumStringLength else {
      return
    }
    // A string cannot contain itself because its value is expanded when it is defined.
    let expanded = self.text(String(value.first == "\"" ? value.dropFirst() : value))
    guard expanded.utf8.count < RoffEscapes.maximumStringLength, strings[String(name)] == nil else { return }
    strings[String(name)] = expanded
  }

  /// Returns a text without escape sequences. Strings beyond the limit of a page are omitted.
  ///
  /// - Complexity: O(n) in the length of the text.
  mutating func text(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "\\") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      guard let character = rest.popFirst() else { break }
      switch character {
      case "\"", "#": return result
      case "-": result += "-"
      case "e", "\\", "E": result += "\\"
      case "'": result += "´"
      case "`": result += "`"
      case "~", " ", "0": result += " "
      case "t": result += "\t"
      case ".": result += "."
      case "(": result += RoffCharacters.text(RoffEscapes.take(2, &rest))
      case "[": result += RoffCharacters.text(RoffEscapes.takeBracketed(&rest))
      case "C": result += RoffCharacters.text(RoffEscapes.takeDelimited(&rest))
      case "*": result += expansion(of: RoffEscapes.takeName(&rest))
      case "f", "F", "m", "M", "n", "g", "k", "Y", "V", "O":
        if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
        _ = RoffEscapes.takeName(&rest)
      case "s": RoffEscapes.skipSize(&rest)
      case "h", "v", "w", "l", "L", "o", "D", "X", "N", "b", "x", "S", "H", "Z", "A", "B", "R":
        _ = RoffEscapes.takeDelimited(&rest)
      default: break  // \& \% \/ \, \| \^ \) \c \d \u \z \{ \} and unknown sequences have no text.
      }
    }
    return result + rest
  }

  private mutating func expansion(of name: String) -> String {
    guard let value = strings[name] else { return "" }
    expandedSize += value.utf8.count
    return expandedSize <= RoffEscapes.maximumExpandedSize ? value : ""
  }

  private static func take(_ count: Int, _ rest: inout Substring) -> String {
    let name = rest.prefix(count)
    rest = rest.dropFirst(count)
    return String(name)
  }

  /// Takes the text before an ASCII character and the character, if it is within a number of bytes.
  private static func take(upTo end: UInt8, within limit: Int, _ rest: inout Substring) -> String {
    guard let index = rest.utf8.prefix(limit + 1).firstIndex(of: end) else { return "" }
    defer { rest = rest[rest.utf8.index(after: index)...] }
    return String(rest[..<index])
  }

  /// Takes the rest of a name in brackets: `xxx]`.
  private static func takeBracketed(_ rest: inout Substring) -> String {
    take(upTo: UInt8(ascii: "]"), within: maximumNameLength, &rest)
  }

  /// Takes a name: `x`, `(xx` or `[xxx]`.
  private static func takeName(_ rest: inout Substring) -> String {
    switch rest.popFirst() {
    case "(": take(2, &rest)
    case "[": takeBracketed(&rest)
    case let character?: String(character)
    case nil: ""
    }
  }

  /// Takes an argument between two copies of an ASCII character: `'10n'`.
  private static func takeDelimited(_ rest: inout Substring) -> String {
    guard let delimiter = rest.popFirst()?.asciiValue else { return "" }
    return take(upTo: delimiter, within: maximumArgumentLength, &rest)
  }

  /// Skips a size: `8`, `+1`, `-1`, `10`, `(10`, `[10]`, `'+1'`.
  private static func skipSize(_ rest: inout Substring) {
    if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
    switch rest.first {
    case "(": rest = rest.dropFirst(3)
    case "[": _ = takeName(&rest)
    case "'": _ = takeDelimited(&rest)
    // Only sizes up to 39 have two digits.
    case "1", "2", "3": rest = rest.dropFirst(rest.dropFirst().first?.isNumber == true ? 2 : 1)
    case let digit? where digit.isNumber: rest = rest.dropFirst()
    default: break
    }
  }
}

/// The special characters of roff.
enum RoffCharacters {
  /// Returns the text of a character name: `em`, `'e`, `u00E9`, `e aa`; empty if it is unknown.
  static func text(_ name: String) -> String {
    if let text = names[name] { return text }
    if name.first == "*", name.count == 2, let letter = name.last.flatMap({ greek[$0] }) { return String(letter) }
    if name.first == "u", name.utf8.count >= 5 {
      // Composite characters: u0065_0301.
      let scalars = name.dropFirst().split(separator: "_").map { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
      if !scalars.contains(nil) { return String(String.UnicodeScalarView(scalars.compactMap { $0 })) }
    }
    guard name.count == 2, let accent = name.first.flatMap({ accents[$0] }), let base = name.last else { return "" }
    return String([base]) + accent
  }

  /// The Greek letters, `*a` to `*W`.
  private static let greek: [Character: Character] = Dictionary(
    uniqueKeysWithValues: zip(
      "ABGDEZYHIKLMNCOPRSTUFXQWabgdezyhiklmncoprstufxqw", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυϕχψω"))

  /// The combining characters of accented letters, such as `'e`.
  private static let accents: [Character: String] = [
    "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "~": "\u{303}", ":": "\u{308}", ",": "\u{327}", "v": "\u{30C}",
    "o": "\u{30A}",
  ]

  private static let names: [String: String] = [
    "em": "—", "en": "–", "hy": "-", "-": "-", "aq": "'", "dq": "\"", "lq": "“", "rq": "”", "oq": "‘", "cq": "’",
    "Bq": "„",
    "bq": "‚", "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "bu": "•", "co": "©", "rg": "®", "tm": "™", "de": "°",
    "ga": "`",
    "aa": "´", "ha": "^", "ti": "~", "rs": "\\", "sl": "/", "ul": "_", "ru": "_", "ba": "|", "br": "|", "or": "|",
    "at": "@",
    "sh": "#", "Do": "$", "ct": "¢", "Po": "£", "Eu": "€", "Ye": "¥", "mu": "×", "di": "÷", "+-": "±", "<=": "≤",
    ">=": "≥",
    "!=": "≠", "==": "≡", "~~": "≈", "->": "→", "<-": "←", "ua": "↑", "da": "↓", "<>": "↔", "rA": "⇒", "lA": "⇐",
    "if": "∞",
    "mc": "µ", "sq": "□", "12": "½", "14": "¼", "34": "¾", "S1": "¹",
    "S2": "²",
    "S3": "³", "ss": "ß", "ts": "ς", "+f": "φ", "+h": "ϑ", "+p": "ϖ", "+e": "ϵ", "AE": "Æ", "ae": "æ", "OE": "Œ",
    "oe": "œ", "/o": "ø", "/O": "Ø", "/l": "ł", "/L": "Ł",
    "-D": "Ð",
    "Sd": "ð", "TP": "Þ", "Tp": "þ", "oa": "å", "oA": "Å", "r!": "¡", "r?": "¿", "sc": "§", "ps": "¶", "dg": "†",
    "dd": "‡",
    "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "⟨", "ra": "⟩", "eq": "=", "pl": "+", "mi": "−", "ci": "○",
    "no": "¬",
    "i": "ı", ".i": "ı", "%0": "‰",
  ]
}
