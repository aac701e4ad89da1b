/// One position of an analysed query.
public struct QueryTerm: Hashable, Sendable {
  /// The terms accepted at this position. The first is the main one.
  public var forms: [String]
  /// Whether every term that begins with a form is accepted.
  public var isPrefix: Bool
  /// Whether the word is on the stop word list. The caller drops it outside phrases.
  public var isStopWord: Bool
  /// Whether the word is on the stop word list, or on that of the language, whether or not stop words were asked for. A
  /// search that is content with some of its words passes over it, since it says nothing of what is sought.
  public var isFunctionWord: Bool
  /// The bytes of the query text, in UTF-8, that the term comes from.
  public var start: Int
  public var end: Int

  public init(
    forms: [String], isPrefix: Bool = false, isStopWord: Bool = false, isFunctionWord: Bool = false, start: Int,
    end: Int
  ) {
    self.forms = forms
    self.isPrefix = isPrefix
    self.isStopWord = isStopWord
    self.isFunctionWord = isFunctionWord
    self.start = start
    self.end = end
  }
}
