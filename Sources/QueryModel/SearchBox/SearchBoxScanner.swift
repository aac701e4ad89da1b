/// Cuts the text of a search box into terms. What holds no text, such as `""` or a lone `*`, is no term.
struct SearchBoxScanner {
  let source: SourceText
  let fields: KnownFields
  /// Where the terms end: that of the text, or the bracket that closes a group.
  let end: Int
  private(set) var position = 0
  /// For each bracket `(` with a `)` that closes it, where that stands.
  private lazy var closingBrackets = source.closingBrackets

  init(source: SourceText, fields: KnownFields) {
    self.source = source
    self.fields = fields
    end = source.bytes.count
  }

  /// The terms of a group, between its brackets. In there, colons are text.
  private init(group: Range<Int>, of source: SourceText) {
    self.source = source
    fields = KnownFields([])
    position = group.lowerBound
    end = group.upperBound
  }

  /// The next term; nil at the end of the text.
  mutating func next() -> SearchBoxTerm? {
    while true {
      skipWhitespace()
      guard position < end else { return nil }
      var isExcluded = takeMinus()
      let field = takeField()
      if field != nil, takeMinus() { isExcluded = true }
      if let field, let group = takeGroup() {
        if let term = SearchBoxTerm(group, in: field, isExcluded: isExcluded) { return term }
      } else if let part = quoteLength(at: position) == nil ? takeWord() : takeQuoted() {
        return SearchBoxTerm(MatchPhrase([part]), in: field, isExcluded: isExcluded)
      }
    }
  }

  private mutating func skipWhitespace() {
    while position < end {
      let length = source.whitespaceLength(at: position)
      if length == 0 { return }
      position += length
    }
  }

  private mutating func takeMinus() -> Bool {
    guard let length = minusLength(at: position) else { return false }
    position += length
    return true
  }

  private mutating func takeField() -> FieldName? {
    guard let (name, colon) = fields.match(in: source, at: position) else { return nil }
    defer { position = colon + 1 }
    return FieldName(name, span: SourceSpan(position..<colon))
  }

  /// What stands between brackets, where the first is here and the second follows.
  private mutating func takeGroup() -> SearchBoxQuery? {
    guard position < end, source.bytes[position] == UInt8(ascii: "("), let closing = closingBrackets[position] else {
      return nil
    }
    var inside = SearchBoxScanner(group: position + 1..<closing, of: source)
    position = closing + 1
    position += suffixLength(at: position)
    return SearchBoxParser.parse(&inside)
  }

  /// A phrase up to its closing quotation mark or the end; nil, with the marks passed, when it is blank.
  private mutating func takeQuoted() -> MatchPhrase.Part? {
    let start = position
    guard let opening = quoteLength(at: position) else { return nil }
    position += opening
    let textStart = position
    var isBlank = true
    while position < end, quoteLength(at: position) == nil {
      let space = source.whitespaceLength(at: position)
      if space == 0 { isBlank = false }
      position += max(space, 1)
    }
    let text = source.text(SourceSpan(textStart..<position))
    let closing = quoteLength(at: position)
    position += closing ?? 0
    let span = SourceSpan(start..<position)
    let isPrefix = takeStars()
    if closing != nil { position += suffixLength(at: position) }
    guard !isBlank else { return nil }
    var part = MatchPhrase.Part(text, isQuoted: true, isPrefix: isPrefix, span: span)
    part.isUnclosed = closing == nil
    return part
  }

  /// The text up to white space or to a quotation mark that begins a phrase; nil for a lone `-` or `*`.
  private mutating func takeWord() -> MatchPhrase.Part? {
    let start = position
    while position < end, source.whitespaceLength(at: position) == 0 {
      if position > start, quoteLength(at: position) != nil, opensPhrase(after: source.bytes[position - 1]) {
        break
      }
      position += 1
    }
    let word = start..<position
    let whole = word.lowerBound..<withoutNumber(behind: UInt8(ascii: "^"), word)
    var end = whole.upperBound
    while end > start, source.bytes[end - 1] == UInt8(ascii: "*") { end -= 1 }
    let isPrefix = end < whole.upperBound
    if !isPrefix {
      let marked = withoutNumber(behind: UInt8(ascii: "~"), whole)
      if marked < end { end = marked + 1 }
    }
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
    while position < end, source.bytes[position] == UInt8(ascii: "*") { position += 1 }
    return position > start
  }
}
