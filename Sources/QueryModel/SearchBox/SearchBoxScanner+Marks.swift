/// The marks with a meaning in a search box, and the contexts in which they are text.
extension SearchBoxScanner {
  private func byte(at offset: Int) -> UInt8? { offset < end ? source.bytes[offset] : nil }

  /// Returns the length of the minus that excludes a term at `offset`, or nil. Before `-`, `>` and `=` a minus is part
  /// of an operator or of a command-line option (`--help`, `->`), which people paste and want to find. Phones replace
  /// it with a dash (–) or a minus sign (−); these exclude a term only before a letter or a phrase.
  func minusLength(at offset: Int) -> Int? {
    switch byte(at: offset) {
    case UInt8(ascii: "-"):
      guard let next = byte(at: offset + 1), !"->=".utf8.contains(next), source.whitespaceLength(at: offset + 1) == 0
      else { return nil }
      return 1
    case 0xE2:
      let isDash = byte(at: offset + 1) == 0x80 && byte(at: offset + 2) == 0x93
      let isMinusSign = byte(at: offset + 1) == 0x88 && byte(at: offset + 2) == 0x92
      return (isDash || isMinusSign) && (isLetter(at: offset + 3) || quoteLength(at: offset + 3) != nil) ? 3 : nil
    default: return nil
    }
  }

  private func isLetter(at offset: Int) -> Bool {
    guard offset < end else { return false }
    return source.text(SourceSpan(offset..<offset + source.scalarLength(at: offset))).first?.isLetter ?? false
  }

  /// Returns the length of the quotation mark at `offset`, or nil.
  func quoteLength(at offset: Int) -> Int? { offset < end ? source.quoteLength(at: offset) : nil }

  /// Returns the length of Lucene's suffix of a phrase or a group, `~3` and `^2`, which is ignored here; 0 if there is
  /// none.
  func suffixLength(at offset: Int) -> Int {
    var suffix = offset
    while let mark = byte(at: suffix), mark == UInt8(ascii: "~") || mark == UInt8(ascii: "^") {
      suffix += 1
      while let digit = byte(at: suffix), isInNumber(digit) { suffix += 1 }
    }
    let isAtEnd = suffix == end || byte(at: suffix) == UInt8(ascii: ")") || source.whitespaceLength(at: suffix) > 0
    return isAtEnd ? suffix - offset : 0
  }

  /// Returns the end of `word` without Lucene's suffix of a mark and a number, as in `shoe^2` and `shoe~1`. `x^2`,
  /// `10^6` and `5~10` have no such suffix: the word before the mark must have at least two characters and begin with a
  /// letter.
  func withoutNumber(after mark: UInt8, _ word: Range<Int>) -> Int {
    var start = word.upperBound
    while start > word.lowerBound, isInNumber(source.bytes[start - 1]) { start -= 1 }
    guard start < word.upperBound, start > word.lowerBound, source.bytes[start - 1] == mark else {
      return word.upperBound
    }
    let before = source.text(SourceSpan(word.lowerBound..<start - 1))
    return before.count > 1 && before.first?.isLetter == true ? start - 1 : word.upperBound
  }

  private func isInNumber(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") }
}

extension QueryText {
  /// Returns the length of the quotation mark at `offset`: `"`, or “ ” „ as phones type them.
  func quoteLength(at offset: Int) -> Int? {
    switch byte(at: offset) {
    case UInt8(ascii: "\""):
      return 1
    case 0xE2 where byte(at: offset + 1) == 0x80:
      return (0x9C...0x9E).contains(byte(at: offset + 2) ?? 0) ? 3 : nil
    default:
      return nil
    }
  }

  /// Returns whether the quotation mark at `offset` is between two Hebrew letters. It is then part of an acronym, as in
  /// `צה"ל`. The mark „ is not used in acronyms.
  ///
  /// - Parameter limit: the end of the text that is examined.
  func isGershayim(at offset: Int, before limit: Int) -> Bool {
    guard let length = quoteLength(at: offset), length == 1 || byte(at: offset + 2) != 0x9E, offset >= 2 else {
      return false
    }
    let next = offset + length
    return next + 1 < limit && isHebrewLetter(at: offset - 2) && isHebrewLetter(at: next)
  }

  /// Returns whether one of the letters U+05D0 to U+05EA is at `offset`.
  private func isHebrewLetter(at offset: Int) -> Bool {
    byte(at: offset) == 0xD7 && (0x90...0xAA).contains(byte(at: offset + 1) ?? 0)
  }

  /// Returns whether a quotation mark after this byte begins a phrase. It does after an opening bracket or a separator,
  /// as in `("red shoe" OR boot)`, but not elsewhere inside a word: `27" monitor`.
  func opensPhrase(after byte: UInt8) -> Bool {
    "([{:=,".utf8.contains(byte)
  }
}
