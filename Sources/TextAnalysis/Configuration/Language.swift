import CSnowball

/// A language that has a Snowball stemmer.
public struct Language: Hashable, Sendable {
  /// The ISO 639-1 code, such as `en`; `porter` for Porter's original English stemmer, which has no code.
  public let code: String
  /// The English name in lower case, such as `english`, which is also Snowball's name for the algorithm.
  public let name: String

  /// Every language of the installed libstemmer.
  public static let all: [Language] = installedAlgorithms().map { name in
    Language(code: codes[name]?.first ?? name, name: name)
  }

  /// Finds a language by its code, a code with a region (`en_US`, `pt-BR`) or its English name. Case is ignored.
  ///
  /// - Throws: ``AnalyzerError/unknownLanguage(_:known:)``.
  init(_ text: String) throws {
    let wanted = text.lowercased()
    let primary = wanted.prefix { $0 != "_" && $0 != "-" }
    let match = Self.all.first { language in
      language.name == wanted || language.code == primary
        || Self.codes[language.name]?.contains(String(primary)) == true
    }
    guard let match else {
      throw AnalyzerError.unknownLanguage(text, known: Self.all.map { "\($0.code) (\($0.name))" })
    }
    self = match
  }

  private init(code: String, name: String) {
    self.code = code
    self.name = name
  }
}

extension Language {
  /// The codes of each language: the ISO 639-1 code first, then other ISO 639 codes in use. The Norwegian stemmer is
  /// designed for Bokmål.
  private static let codes: [String: [String]] = [
    "arabic": ["ar", "ara"], "armenian": ["hy", "hye", "arm"], "basque": ["eu", "eus", "baq"],
    "catalan": ["ca", "cat"], "danish": ["da", "dan"], "dutch": ["nl", "nld", "dut"],
    "english": ["en", "eng"], "estonian": ["et", "est"], "finnish": ["fi", "fin"],
    "french": ["fr", "fra", "fre"], "german": ["de", "deu", "ger"], "greek": ["el", "ell", "gre"],
    "hindi": ["hi", "hin"], "hungarian": ["hu", "hun"], "indonesian": ["id", "ind"],
    "irish": ["ga", "gle"], "italian": ["it", "ita"], "lithuanian": ["lt", "lit"],
    "nepali": ["ne", "nep"], "norwegian": ["no", "nor", "nb", "nob", "nn", "nno"],
    "portuguese": ["pt", "por"], "romanian": ["ro", "ron", "rum"], "russian": ["ru", "rus"],
    "serbian": ["sr", "srp"], "spanish": ["es", "spa", "esl"], "swedish": ["sv", "swe"],
    "tamil": ["ta", "tam"], "turkish": ["tr", "tur"], "yiddish": ["yi", "yid"],
  ]

  private static func installedAlgorithms() -> [String] {
    var names: [String] = []
    guard var next = sb_stemmer_list() else { return names }
    while let name = next.pointee {
      names.append(String(cString: name))
      next += 1
    }
    return names
  }
}
