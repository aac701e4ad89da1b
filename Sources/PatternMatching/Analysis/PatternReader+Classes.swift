extension PatternReader {
  /// Parses a class such as `[a-f_]` after its `[`.
  mutating func characterClass(_ flags: Flags) throws -> PatternInfo {
    // The assertions for word starts and word ends look like classes.
    if take("[:<:]]") || take("[:>:]]") {
      usesCharacterClasses = true
      return .empty
    }
    let start = index - 1
    let isNegated = take("^")
    if isNegated { addNewlineToClass() }
    var content = CharacterClassContent()
    var isFirst = true
    while isFirst || peek != "]" {
      try element(&content)
      isFirst = false
    }
    index += 1
    if isNegated || content.isNamed { usesCharacterClasses = true }
    if isNegated { return .unknown(mayContainNewline: !content.alwaysContainsNewline) }
    if content.mayContainNewline { guardAgainstNewline(from: start) }
    guard !content.isLarge, let variants = try variants(of: content.scalars, flags) else {
      return .unknown(mayContainNewline: content.mayContainNewline)
    }
    return .character(variants)
  }

  /// The content of a class.
  private struct CharacterClassContent {
    var scalars: [Unicode.Scalar] = []
    /// Whether the class contains more characters than ``scalars`` lists.
    var isLarge = false
    /// Whether the class contains a property, a shorthand such as `\d` or a name such as `[:alpha:]`.
    var isNamed = false
    var mayContainNewline = false
    var alwaysContainsNewline = false

    static let maximumRange: UInt32 = 64

    mutating func add(_ range: ClosedRange<UInt32>) {
      if range.contains(0x0A) {
        mayContainNewline = true
        alwaysContainsNewline = true
      }
      guard range.upperBound - range.lowerBound < CharacterClassContent.maximumRange, scalars.count < 1024 else {
        isLarge = true
        return
      }
      scalars += range.compactMap(Unicode.Scalar.init)
    }

    mutating func addMany(mayContainNewline: Bool, alwaysContainsNewline: Bool = false) {
      (isLarge, isNamed) = (true, true)
      self.mayContainNewline = self.mayContainNewline || mayContainNewline
      self.alwaysContainsNewline = self.alwaysContainsNewline || alwaysContainsNewline
    }
  }

  /// Parses a character, a range, a shorthand such as `\d` or a name such as `[:alpha:]`.
  private mutating func element(_ content: inout CharacterClassContent) throws {
    guard let low = try classCharacter(&content) else { return }
    noteLetter(low)
    guard follows("-"), index + 1 < text.count, text[index + 1] != "]" else {
      content.add(low.value...low.value)
      return
    }
    index += 1
    guard let high = try classCharacter(&content), low.value <= high.value else { throw UnsupportedConstruct() }
    noteLetter(high)
    content.add(low.value...high.value)
  }

  /// Parses one character, or adds an element that denotes many characters and returns nil. The meaning of `-` after
  /// such an element depends on the version of PCRE2.
  private mutating func classCharacter(_ content: inout CharacterClassContent) throws -> Unicode.Scalar? {
    let scalar = try next()
    if scalar == "[", let sign = peek, [":", ".", "="].contains(sign) {
      try className(&content)
      return nil
    }
    guard scalar == "\\" else { return scalar }
    if let escaped = try escapedCharacter() { return escaped }
    let letter = try next()
    switch letter {
    case "b": return "\u{8}"
    case "d", "w", "h", "S", "V": content.addMany(mayContainNewline: false)
    case "D", "W", "H", "s", "v": content.addMany(mayContainNewline: true, alwaysContainsNewline: true)
    case "p", "P": content.addMany(mayContainNewline: try property(isNegated: letter == "P"))
    case "c":
      _ = try next()
      content.addMany(mayContainNewline: true)
    case "1"..."9":
      _ = digits(.max, base: 10)
      content.addMany(mayContainNewline: true)
    default: throw UnsupportedConstruct()
    }
    if follows("-"), index + 1 < text.count, text[index + 1] != "]" { throw UnsupportedConstruct() }
    return nil
  }

  private mutating func className(_ content: inout CharacterClassContent) throws {
    // A bracket without `:]` is a literal character, which is not supported here.
    guard take(":"), let end = text[index...].firstIndex(of: ":"), end + 1 < text.count, text[end + 1] == "]" else {
      throw UnsupportedConstruct()
    }
    let name = text[index..<end].drop { $0 == "^" }
    guard !name.isEmpty, name.allSatisfy(\.isASCIILetter), end - index - name.count <= 1 else {
      throw UnsupportedConstruct()
    }
    index = end + 2
    content.addMany(mayContainNewline: true)
  }

  private func variants(of scalars: [Unicode.Scalar], _ flags: Flags) throws -> [Unicode.Scalar]? {
    guard flags.ignoresCase else { return scalars }
    var variants: [Unicode.Scalar] = []
    for scalar in scalars {
      guard let others = CaseVariants.of(scalar) else { return nil }
      variants += others
    }
    return variants
  }
}
