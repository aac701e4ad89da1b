/// One position of an analysed query.
public struct QueryTerm: Hashable, Sendable {
  /// The terms accepted at this position. The first is the main one.
  public var forms: [String]
  /// Whether every term that begins with a form is accepted.
  public var isPrefix: Bool
  /// Whether the word is on the stop word list. The caller drops it outside phrases.
  public var isStopWord: Bool
  /// The bytes of the query text, in UTF-8, that the term comes from.
  public var start: Int
  public var end: Int

  public init(forms: [String], isPrefix: Bool = false, isStopWord: Bool = false, start: Int, end: Int) {
    self.forms = forms
    self.isPrefix = isPrefix
    self.isStopWord = isStopWord
    self.start = start
    self.end = end
  }
}
