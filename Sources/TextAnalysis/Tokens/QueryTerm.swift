/// One position of an analyzed query.
public struct QueryTerm: Hashable, Sendable {
  /// The terms that match at this position. The first is the main form.
  public var forms: [String]
  /// Whether every term that begins with one of the forms matches.
  public var isPrefix: Bool
  /// Whether the word is a stop word. The caller drops stop words outside phrases.
  public var isStopWord: Bool
  /// Whether the word is a stop word or a function word of the language, even if stop words are disabled. A search that
  /// relaxes a query skips such words, because they are not selective.
  public var isLanguageStopWord: Bool
  /// The byte offset of the beginning of the term in the UTF-8 text of the query.
  public var start: Int
  /// The byte offset after the end of the term.
  public var end: Int

  public init(
    forms: [String], isPrefix: Bool = false, isStopWord: Bool = false, isLanguageStopWord: Bool = false, start: Int,
    end: Int
  ) {
    self.forms = forms
    self.isPrefix = isPrefix
    self.isStopWord = isStopWord
    self.isLanguageStopWord = isLanguageStopWord
    self.start = start
    self.end = end
  }
}
