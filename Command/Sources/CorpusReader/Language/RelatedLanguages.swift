/// Distinguishes closely related languages by their function words and letters. CLD2 confuses these languages in short
/// texts and in texts that contain much English, such as manual pages.
enum RelatedLanguages {
  /// A group of related languages: words and letters that occur in only some of them.
  private struct Group {
    var words: [String: [String]]
    var letters: [String: String]
  }

  private static let groups = [
    Group(
      words: [
        "da": [
          "og", "ikke", "er", "til", "fra", "af", "efter", "mellem", "bliver", "uden", "noget", "ud", "op", "ind",
        ],
        "nb": ["og", "ikke", "er", "til", "fra", "av", "etter", "mellom", "blir", "uten", "noe", "ut", "opp", "inn"],
        "sv": ["och", "inte", "är", "till", "från", "av", "efter", "mellan", "blir", "utan", "ut", "upp", "in", "att"],
      ],
      letters: ["da": "æø", "nb": "æø", "sv": "äö"]),
    Group(
      words: [
        "mk": ["со", "во", "ги", "го", "дека", "е", "ќе", "оваа", "овој", "не"],
        "sr": ["са", "у", "је", "су", "који", "која", "ће", "ово", "овај", "не"],
      ],
      letters: ["mk": "ѓќѕ", "sr": "ђћ"]),
  ]

  /// Returns the related language for which a text contains the most evidence; `language` if there is no more evidence
  /// for any other.
  ///
  /// - Complexity: O(n) in the length of the text.
  static func corrected(_ language: String, _ text: Substring) -> String {
    guard let group = groups.first(where: { $0.words[language] != nil }) else { return language }
    var counts: [Substring: Int] = [:]
    var letters: [Character: Int] = [:]
    let lowercase = text.lowercased()
    for word in lowercase.split(whereSeparator: { !$0.isLetter }) { counts[word, default: 0] += 1 }
    for character in lowercase where character.isLetter && !character.isASCII { letters[character, default: 0] += 1 }
    func evidence(_ language: String) -> Int {
      let words = (group.words[language] ?? []).reduce(0) { $0 + (counts[Substring($1)] ?? 0) }
      return (group.letters[language] ?? "").reduce(words) { $0 + (letters[$1] ?? 0) }
    }
    // A Serbian text in Latin script contains no evidence for either language, so `language` is returned.
    return group.words.keys.sorted().reduce(language) { evidence($1) > evidence($0) ? $1 : $0 }
  }
}
