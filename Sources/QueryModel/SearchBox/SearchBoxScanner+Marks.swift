/// The marks that mean something in a search box, and where they do not.
extension SearchBoxScanner {
  private func byte(at offset: Int) -> UInt8? { offset < end ? source.bytes[offset] : nil }

  /// The length of a minus that excludes. Before `-`, `>` and `=` it is part of an operator or option of some program
  /// (`--help`, `->`), which people paste and want to find. Phones make a dash (–) or a minus sign (−) of it; these exclude
  /// before a letter or a phrase.
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

  /// The length of the quotation mark at `offset`.
  func quoteLength(at offset: Int) -> Int? { offset < end ? source.quoteLength(at: offset) : nil }

  /// The length of what Lucene's language allows behind a phrase or a group, `~3` and `^2`, which says nothing here; 0 where
  /// something else stands there.
  func suffixLength(at offset: Int) -> Int {
    var suffix = offset
    while let mark = byte(at: suffix), mark == UInt8(ascii: "~") || mark == UInt8(ascii: "^") {
      suffix += 1
      while let digit = byte(at: suffix), isInNumber(digit) { suffix += 1 }
    }
    let isAtEnd = suffix == end || byte(at: suffix) == UInt8(ascii: ")") || source.whitespaceLength(at: suffix) > 0
    return isAtEnd ? suffix - offset : 0
  }

  /// Where a word of Lucene's language ends that has a mark and a number behind it, as in `shoe^2` and `shoe~1`; the end of `word`
  /// for all others. `x^2`, `10^6` and `5~10` are no such words: those have two characters at least and begin with a letter.
  func withoutNumber(behind mark: UInt8, _ word: Range<Int>) -> Int {
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

extension SourceText {
  /// The length of the quotation mark at `offset`: `"`, or “ ” „ as phones type them.
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

  /// After an opening bracket or a separator a quotation mark begins a phrase, as in `("red shoe" OR boot)`.
  /// Elsewhere inside a word it does not: `27" monitor`.
  func opensPhrase(after byte: UInt8) -> Bool {
    "([{:=,".utf8.contains(byte)
  }
}
