/// Splits the text of a search box into tokens. Text without content, such as `""` or a lone `*`, is skipped.
struct SearchBoxScanner {
  let source: QueryText
  let fields: KnownFields
  /// The end of the tokens: the end of the text, or the bracket that closes a group.
  let end: Int
  private(set) var position = 0
  /// Observations about the tokens so far.
  private(set) var notes = SearchBoxNotes()
  private let brackets: SearchBoxParentheses
  /// The number of groups that enclose the tokens.
  private let depth: Int

  /// The maximum nesting depth of groups. Brackets nested deeper are text, because queries are evaluated recursively.
  static let maximumDepth = 32

  init(source: QueryText, fields: KnownFields) {
    self.source = source
    self.fields = fields
    end = source.bytes.count
    brackets = SearchBoxParentheses(source)
    depth = 0
  }

  /// Creates a scanner for the tokens between the brackets of a group.
  private init(group: Range<Int>, of outer: SearchBoxScanner, fields: KnownFields) {
    source = outer.source
    self.fields = fields
    position = group.lowerBound
    end = group.upperBound
    brackets = outer.brackets
    depth = outer.depth + 1
  }

  /// Returns the next token; nil at the end of the text.
  mutating func next() -> SearchBoxToken? {
    while true {
      skipWhitespace()
      guard position < end else { return nil }
      var isExcluded = takeMinus()
      let field = takeField()
      if field != nil, takeMinus() { isExcluded = true }
      let clause: SearchBoxClause
      if let closing = closingBracket(inField: field != nil) {
        guard let group = takeGroup(upTo: closing, inField: field != nil) else { continue }
        clause = field.map { group.inField($0) } ?? group
      } else if let part = quoteLength(at: position) == nil ? takeWord() : takeQuoted() {
        let phrase = MatchPhrase([part])
        if field == nil, !isExcluded, let kind = SearchBoxOperator(phrase) { return .operator(kind, phrase) }
        clause = SearchBoxClause(phrase, in: field)
      } else {
        continue
      }
      return .operand(isExcluded ? clause.negated : clause)
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

  /// Returns the offset of the bracket that closes the group at the current position; nil if no group begins here.
  ///
  /// A group without a field must end where a term ends, so that `(*p).x` is text.
  private func closingBracket(inField: Bool) -> Int? {
    guard position < end, depth < SearchBoxScanner.maximumDepth, let closing = brackets.closing[position], closing < end
    else { return nil }
    if inField { return closing }
    let next = closing + 1 + suffixLength(at: closing + 1)
    let isAtEnd = next >= end || source.whitespaceLength(at: next) > 0 || "()".utf8.contains(source.bytes[next])
    return isAtEnd || quoteLength(at: next) != nil ? closing : nil
  }

  /// Parses the text between the current bracket and its closing one; returns nil if it is empty.
  private mutating func takeGroup(upTo closing: Int, inField: Bool) -> SearchBoxClause? {
    // Fields do not nest: in a field's group, colons are text.
    var inside = SearchBoxScanner(
      group: position + 1..<closing, of: self, fields: inField ? KnownFields([]) : fields)
    position = closing + 1
    position += suffixLength(at: position)
    let clause = inside.clause()
    notes.add(inside.notes)
    return clause
  }

  /// Parses all remaining tokens into a clause; returns nil if there are none.
  mutating func clause() -> SearchBoxClause? {
    var tokens: [SearchBoxToken] = []
    while let token = next() { tokens.append(token) }
    let grammar = SearchBoxGrammar(tokens)
    notes.add(grammar.notes)
    return grammar.clause()
  }

  /// Parses a phrase up to its closing quotation mark or the end. A mark between two Hebrew letters does not close it.
  /// Returns nil, after skipping the marks, if it is blank.
  private mutating func takeQuoted() -> MatchPhrase.Part? {
    let start = position
    guard let opening = quoteLength(at: position) else { return nil }
    position += opening
    let textStart = position
    var isBlank = true
    while position < end, quoteLength(at: position) == nil || source.isGershayim(at: position, before: end) {
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

  /// Parses the text up to white space or to a quotation mark that begins a phrase; returns nil for a lone `-` or `*`.
  private mutating func takeWord() -> MatchPhrase.Part? {
    let start = position
    while position < end, source.whitespaceLength(at: position) == 0 {
      if position > start, quoteLength(at: position) != nil, source.opensPhrase(after: source.bytes[position - 1]) {
        break
      }
      position += 1
    }
    let word = start..<position
    let whole = word.lowerBound..<withoutNumber(after: UInt8(ascii: "^"), word)
    var end = whole.upperBound
    while end > start, source.bytes[end - 1] == UInt8(ascii: "*") { end -= 1 }
    let isPrefix = end < whole.upperBound
    if !isPrefix {
      let marked = withoutNumber(after: UInt8(ascii: "~"), whole)
      if marked < end { end = marked + 1 }
    }
    // A tilde alone is text, although the analyzer will drop it.
    let isFuzzy = !isPrefix && end > start + 1 && source.bytes[end - 1] == UInt8(ascii: "~")
    if isFuzzy { end -= 1 }
    let span = SourceSpan(start..<end)
    let text = source.text(span)
    guard !text.isEmpty, text != "-" else { return nil }
    noteBrackets(of: start..<end)
    var part = MatchPhrase.Part(text, isPrefix: isPrefix, span: span)
    part.isFuzzy = isFuzzy
    return part
  }

  private mutating func takeStars() -> Bool {
    let start = position
    while position < end, source.bytes[position] == UInt8(ascii: "*") { position += 1 }
    return position > start
  }

  /// Records brackets at the ends of a word that look like grouping but are not.
  private mutating func noteBrackets(of word: Range<Int>) {
    let hasLetters = source.text(SourceSpan(word)).contains(where: \.isLetter)
    if source.bytes[word.lowerBound] == UInt8(ascii: "("),
      brackets.closing[word.lowerBound].map({ $0 >= word.upperBound }) ?? true
    {
      notes.literals.append((word.lowerBound, "("))
    } else if hasLetters, brackets.unopened.contains(word.upperBound - 1) {
      notes.literals.append((word.upperBound - 1, ")"))
    }
  }
}
