/// Splits a line of source code into names, for ``DefinedNames``.
struct NameScanner {
  /// The role of a keyword in a definition.
  enum Keyword: Equatable {
    /// A word before a definition: `static`.
    case modifier
    /// A word before the defined name. Some words define a name only if a body follows: `struct page {`, but not
    /// `struct page *p`.
    case definition(needsBody: Bool)
    case typedef
    /// A word that begins a statement with parentheses: `if (ready(x)) {`.
    case statement
  }

  private let text: UnsafeRawBufferPointer
  private let end: Int
  private var position: Int

  /// - Parameter line: the range of the line in the text.
  init(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) {
    (self.text, position, end) = (text, line.lowerBound, line.upperBound)
    skipSpace()
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Returns the next byte that is not white space, without skipping it; nil at the end of the line.
  func peek() -> UInt8? { position < end ? text[position] : nil }

  /// Skips a byte and the white space after it.
  mutating func skip() {
    position += 1
    skipSpace()
  }

  /// Returns the next name, if the line continues with one, and skips it and the white space after it.
  mutating func next() -> Range<Int>? {
    let start = position
    guard start < end, NameScanner.isNameStart(text[start]) else { return nil }
    while position < end, NameScanner.isNamePart(text[position]) { position += 1 }
    defer { skipSpace() }
    return start..<position
  }

  /// Skips what may follow a modifier: `pub(crate)`, `private(set)`, `extern "C"`.
  mutating func skipArgument(of modifier: Range<Int>) {
    switch peek() {
    case UInt8(ascii: "(") where NameScanner.withScope.contains(string(modifier)):
      skip(to: UInt8(ascii: ")"))
    case UInt8(ascii: "\""): skip(to: UInt8(ascii: "\""))
    default: break
    }
  }

  /// Skips the parameters of a C++ template: `template <class T, int n = max<int>()>`. Skips nothing if they are not
  /// closed on the line.
  ///
  /// - Returns: whether it skipped any.
  mutating func skipTemplate(_ word: Range<Int>) -> Bool {
    guard peek() == UInt8(ascii: "<"), string(word) == "template" else { return false }
    var depth = 0
    // Within parentheses, `<` and `>` compare.
    var parentheses = 0
    for index in position..<end {
      switch text[index] {
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"): parentheses -= 1
      case UInt8(ascii: "<") where parentheses == 0: depth += 1
      case UInt8(ascii: ">") where parentheses == 0: depth -= 1
      default: break
      }
      guard depth == 0 else { continue }
      position = index + 1
      skipSpace()
      return true
    }
    return false
  }

  /// Skips the byte at the position and everything up to the next occurrence of a byte; nothing if it does not occur.
  private mutating func skip(to byte: UInt8) {
    guard let close = ((position + 1)..<end).first(where: { text[$0] == byte }) else { return }
    position = close + 1
    skipSpace()
  }

  /// Whether the rest of the line begins a body or a list of supertypes or parameters, or is empty.
  var isBodyNext: Bool {
    guard let byte = peek() else { return true }
    if "{:<(=".utf8.contains(byte) { return true }
    var words = self
    return words.next().map { NameScanner.beforeBodies.contains(string($0)) } ?? false
  }

  func isDefine(_ word: Range<Int>) -> Bool {
    UnsafeRawBufferPointer(rebasing: text[word]).elementsEqual("define".utf8)
  }

  func keyword(_ word: Range<Int>) -> Keyword? {
    // Excludes most words by their first letter and length, which is faster than creating and hashing a string.
    let letter = Int(text[word.lowerBound]) - Int(UInt8(ascii: "a"))
    guard NameScanner.lengths.indices.contains(letter), word.count < 16,
      NameScanner.lengths[letter] & 1 << word.count != 0
    else { return nil }
    return NameScanner.keywords[string(word)]
  }

  private func string(_ word: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: text[word]), as: UTF8.self)
  }

  private mutating func skipSpace() {
    while position < end, text[position].isJSONSpace { position += 1 }
  }
}

extension NameScanner {
  /// The modifiers that may have a scope in parentheses. Others, such as `open`, may be calls.
  private static let withScope: Set<String> = [
    "fileprivate", "internal", "nonisolated", "package", "private", "protected", "pub", "public",
  ]

  private static let beforeBodies: Set<String> = [
    "extends", "final", "implements", "interface", "is", "struct", "where",
  ]

  /// Keywords of many languages.
  private static let keywords: [String: Keyword] = {
    var keywords: [String: Keyword] = ["typedef": .typedef]
    func add(_ words: String, _ keyword: Keyword) {
      for word in words.split(whereSeparator: \.isWhitespace) { keywords[String(word)] = keyword }
    }
    add(
      """
      abstract async data default export extern fileprivate final indirect inline internal local mutating nonisolated
      open override package partial private protected pub public sealed static unsafe virtual
      """, .modifier)
    add("actor def defmodule fn fun func function macro_rules sub typealias", .definition(needsBody: false))
    add(
      "class enum interface module namespace object protocol record struct trait type union",
      .definition(needsBody: true))
    add("case catch do else for foreach goto if return switch try while", .statement)
    return keywords
  }()

  /// For each letter, a bit set of the lengths of the keywords that begin with it.
  private static let lengths: [UInt16] = {
    var lengths = [UInt16](repeating: 0, count: 26)
    for word in keywords.keys {
      for letter in word.utf8.prefix(1) { lengths[Int(letter) - Int(UInt8(ascii: "a"))] |= 1 << word.utf8.count }
    }
    return lengths
  }()
}
