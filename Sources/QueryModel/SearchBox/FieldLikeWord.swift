/// A word of a search box, treated as text, that looks like the name of a field with its colon.
public struct FieldLikeWord: Hashable, Sendable {
  /// The part before the first colon.
  public let name: String
  /// Whether text follows the colon; false if white space does.
  public let hasText: Bool
}

extension MatchQuery {
  /// The words before a colon that look like field names but are treated as text: `country` in `country:abc` and
  /// `country: abc`. Addresses (`http://x`), qualified names (`std::vector`) and times are not listed.
  public var fieldLikeWords: [FieldLikeWord] {
    var found: [FieldLikeWord] = []
    visit { node in
      let phrases: [MatchPhrase]
      switch node {
      case .phrase(let phrase): phrases = [phrase]
      case .words(let several): phrases = several
      case .nothing, .near, .and, .or, .not, .fields: phrases = []
      }
      for phrase in phrases where phrase.isBareWord {
        if let word = FieldLikeWord(phrase.parts[0].text) { found.append(word) }
      }
    }
    return found
  }
}

extension FieldLikeWord {
  /// Returns nil if there is no name before a colon, or if the colon is followed by text that does not begin with a
  /// letter or a number.
  fileprivate init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon]
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "_.-[]".contains($0) }
    let next = text[text.index(after: colon)...].first
    guard name.count > 1, name.first?.isLetter == true, isName, next.map({ $0.isLetter || $0.isNumber }) ?? true else {
      return nil
    }
    self.init(name: String(name), hasText: next != nil)
  }
}
