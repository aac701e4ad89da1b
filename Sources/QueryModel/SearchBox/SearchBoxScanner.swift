/// One term of a search box.
struct SearchBoxTerm {
  var phrase: MatchPhrase
  var field: FieldName?
  var isExcluded: Bool

  /// Whether the term may be the operator.
  var isOR: Bool {
    field == nil && !isExcluded && !phrase.isPrefix && !phrase.isApproximate && phrase.isBareWord
      && phrase.parts[0].text == "OR"
  }

  var query: MatchQuery {
    field.map { .fields(.include([$0]), .phrase(phrase)) } ?? .phrase(phrase)
  }
}

/// Cuts the text of a search box into terms. What holds no text, such as `""` or a lone `*`, is no term.
struct SearchBoxScanner {
  let source: SourceText
  let fields: KnownFields
  private var position = 0

  init(source: SourceText, fields: KnownFields) {
    self.source = source
    self.fields = fields
  }

  /// The next term; nil at the end of the text.
  mutating func next() -> SearchBoxTerm? {
    while true {
      skipWhitespace()
      guard source.byte(at: position) != nil else { return nil }
      var isExcluded = takeMinus()
      let field = takeField()
      if field != nil, takeMinus() { isExcluded = true }
      if let part = quoteLength(at: position) == nil ? takeWord() : takeQuoted() {
        return SearchBoxTerm(phrase: MatchPhrase([part]), field: field, isExcluded: isExcluded)
      }
    }
  }

  private mutating func skipWhitespace() {
    while true {
      let length = source.whitespaceLength(at: position)
      if length == 0 { return }
      position += length
    }
  }

  /// Takes a minus that excludes. Before `-`, `>` and `=` it is part of an operator or option of some program
  /// (`--help`, `->`), which people paste and want to find.
  private mutating func takeMinus() -> Bool {
    guard source.byte(at: position) == UInt8(ascii: "-"), let next = source.byte(at: position + 1),
      !"->=".utf8.contains(next), source.whitespaceLength(at: position + 1) == 0
    else { return false }
    position += 1
    return true
  }

  private mutating func takeField() -> FieldName? {
    guard let (name, end) = fields.match(in: source, at: position) else { return nil }
    defer { position = end + 1 }
    return FieldName(name, span: SourceSpan(position..<end))
  }

  /// A phrase up to its closing quotation mark or the end; nil, with the marks passed, when it is blank.
  private mutating func takeQuoted() -> MatchPhrase.Part? {
    let start = position
    guard let opening = quoteLength(at: position) else { return nil }
    position += opening
    let textStart = position
    var isBlank = true
    while position < source.bytes.count, quoteLength(at: position) == nil {
      let space = source.whitespaceLength(at: position)
      if space == 0 { isBlank = false }
      position += max(space, 1)
    }
    let text = source.text(SourceSpan(textStart..<position))
    position += quoteLength(at: position) ?? 0
    let span = SourceSpan(start..<position)
    let isPrefix = takeStars()
    return isBlank ? nil : MatchPhrase.Part(text, isQuoted: true, isPrefix: isPrefix, span: span)
  }

  /// The text up to white space or to a quotation mark that begins a phrase; nil for a lone `-` or `*`.
  private mutating func takeWord() -> MatchPhrase.Part? {
    let start = position
    while position < source.bytes.count, source.whitespaceLength(at: position) == 0 {
      if position > start, quoteLength(at: position) != nil, opensPhrase(after: source.bytes[position - 1]) {
        break
      }
      position += 1
    }
    var end = position
    while end > start, source.bytes[end - 1] == UInt8(ascii: "*") { end -= 1 }
    let isPrefix = end < position
    // A tilde alone is text, if only to be passed over.
    let isApproximate = !isPrefix && end > start + 1 && source.bytes[end - 1] == UInt8(ascii: "~")
    if isApproximate { end -= 1 }
    let span = SourceSpan(start..<end)
    let text = source.text(span)
    guard !text.isEmpty, text != "-" else { return nil }
    var part = MatchPhrase.Part(text, isPrefix: isPrefix, span: span)
    part.isApproximate = isApproximate
    return part
  }

  private mutating func takeStars() -> Bool {
    let start = position
    while source.byte(at: position) == UInt8(ascii: "*") { position += 1 }
    return position > start
  }

  /// Behind an opening bracket or a separator a quotation mark begins a phrase, as in `("red shoe" OR boot)`.
  /// Elsewhere inside a word it does not: `27" monitor`.
  private func opensPhrase(after byte: UInt8) -> Bool {
    "([{:=,".utf8.contains(byte)
  }

  /// The length of the quotation mark at `offset`: `"`, or “ ” „ as phones type them.
  private func quoteLength(at offset: Int) -> Int? {
    switch source.byte(at: offset) {
    case UInt8(ascii: "\""):
      return 1
    case 0xE2 where source.byte(at: offset + 1) == 0x80:
      return (0x9C...0x9E).contains(source.byte(at: offset + 2) ?? 0) ? 3 : nil
    default:
      return nil
    }
  }
}
