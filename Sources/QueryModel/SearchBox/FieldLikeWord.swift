extension MatchQuery {
  /// The first word before a colon, in a query of a search box, that looks like the name of a field and is none: `country` in
  /// `country:abc`. Addresses (`http://x`), names (`std::vector`) and times are text.
  public var unknownFieldName: String? {
    var found: String?
    visit { node in
      let phrases: [MatchPhrase]
      switch node {
      case .phrase(let phrase): phrases = [phrase]
      case .words(let several): phrases = several
      case .nothing, .near, .and, .or, .not, .fields: phrases = []
      }
      for phrase in phrases where found == nil && phrase.isBareWord { found = phrase.parts[0].text.fieldName }
    }
    return found
  }
}

extension String {
  /// What stands before the first colon, where that is a name and a word follows.
  fileprivate var fieldName: String? {
    guard let colon = firstIndex(of: ":") else { return nil }
    let name = self[..<colon]
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "_.-[]".contains($0) }
    guard name.count > 1, name.first?.isLetter == true, isName, let next = self[index(after: colon)...].first,
      next.isLetter || next.isNumber
    else { return nil }
    return String(name)
  }
}
