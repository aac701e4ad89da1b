import QueryModel
import TextIndex

extension PreparedSearch {
  /// Returns the notice that a word of a query looks like a field but is treated as text, and why; nil if there is no
  /// such word.
  func fieldNotice(_ query: MatchQuery?) -> String? {
    let names = index.definition.fields.map(\.name)
    for word in query?.fieldLikeWords ?? [] {
      let name = word.name
      let isKnown = names.contains { $0.lowercased() == name.lowercased() }
      switch (isKnown, word.hasText) {
      case (false, true):
        return "the index \"\(index.name)\" has no field \"\(name)\", so \(name): is treated as text; it has "
          + names.joined(separator: ", ")
      case (true, true): return "\(name): is read as text because it follows another field"
      case (true, false):
        return "\(name): is read as text because a space follows its colon; remove the space"
      case (false, false): continue
      }
    }
    return nil
  }

  static let mixedTypesNotice =
    "type: is searched for as a word because OR joins it with words; write it next to them: (red OR green) type:md"

  /// Returns the notice that operators or brackets of a query were treated as text; nil if none were.
  ///
  /// - Parameter text: the text of the query.
  func literalNotice(_ box: SearchBoxQuery, in text: String) -> String? {
    guard !box.literals.isEmpty else { return nil }
    let isBalanced = text.count { $0 == "(" } == text.count { $0 == ")" }
    return box.literals.map { literal in
      let reason =
        switch literal {
        case "(", ")":
          isBalanced
            ? "it does not enclose terms" : "it has no \"\(literal == "(" ? ")" : "(")\""
        case "NOT": "no term follows it"
        default: "it does not join two terms"
        }
      return "\"\(literal)\" was treated as text, because \(reason)"
    }
    .joined(separator: "; ")
  }

  /// The notice that `~` has no effect on some words of the query; nil if it has an effect on all.
  var limitNotice: String? {
    guard query.limitsFuzzyTerms else { return nil }
    return "similar words are found only for the first \(FullTextQuery.maximumFuzzyWordCount) different words with ~; "
      + "the others are searched for as typed"
  }
}
