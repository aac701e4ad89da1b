/// The function words of each language, in their usual spelling; an analyzer folds them.
///
/// The lists were compiled for this project: articles, pronouns, prepositions, conjunctions, auxiliary verbs and the
/// most common adverbs. They contain no word that is often a search term by itself.
enum StopWordList {
  static func words(of language: Language) -> [String] {
    (lists[language.name] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static let lists: [String: String] = [
    "arabic": arabic, "armenian": armenian, "basque": basque, "catalan": catalan, "danish": danish,
    "dutch": dutch, "english": english, "finnish": finnish, "french": french, "german": german,
    "greek": greek,
    "hindi": hindi, "hungarian": hungarian, "indonesian": indonesian, "irish": irish, "italian": italian,
    "lithuanian": lithuanian, "nepali": nepali, "norwegian": norwegian, "porter": english,
    "portuguese": portuguese, "romanian": romanian, "russian": russian, "serbian": serbian,
    "spanish": spanish,
    "swedish": swedish, "tamil": tamil, "turkish": turkish, "yiddish": yiddish,
  ]
}
