import Testing

@testable import TextAnalysis

@Suite struct FoldingTests {
  @Test(arguments: [
    ("Straße", "strasse"), ("STRASSE", "strasse"), ("Łódź", "lodz"), ("Ardèche", "ardeche"),
    ("İstanbul", "istanbul"), ("ISPARTA", "isparta"), ("ısparta", "isparta"), ("Φιλοσοφία", "φιλοσοφια"),
    ("ﬁ", "fi"), ("ＡＢＣ", "abc"), ("ǅ", "dz"), ("Ⅷ", "viii"), ("Æsop", "aesop"), ("œuvre", "oeuvre"),
    ("Øre", "ore"), ("Đorđe", "dorde"), ("Eyjafjallajökull", "eyjafjallajokull"), ("þorn", "thorn"),
    ("Ħal", "hal"), ("Ŧ", "t"), ("Ŋ", "n"), ("ĸ", "k"), ("ĳs", "ijs"), ("Việt", "viet"), ("ёлка", "елка"),
    ("co\u{AD}op", "coop"), ("x\u{1D400}", "xa"), ("３٤", "34"), ("५६", "56"), ("٣٫٥", "3.5"), ("١٬٠٠٠", "1,000"),
    ("Hawai\u{2BB}i", "hawai'i"), ("\u{2BB}Okina", "okina"), ("c\u{2BD}h", "c'h"),
    ("dogs\u{2BC}", "dogs"), ("Bagrat\u{2BB}", "bagrat"), ("צ\u{5F3}", "צ'"), ("Qur\u{2BE}ān", "quran"),
    ("\u{2BF}Abd", "abd"), ("H₂O", "h2o"), ("CO₂ km²", "co2|km"), ("x¹⁰ ₀₉", "x|09"),
  ])
  func foldsAccentsAndLetters(_ word: String, _ expected: String) throws {
    #expect(try Analysis().stream(word) == expected)
  }

  @Test(arguments: [
    ("ΟΔΟΣ", "οδος"), ("e\u{301}te\u{301}", "été"), ("ﻣﺤﻤﺪ", "محمد"), ("مُحَمَّد", "محمد"), ("أحمد", "احمد"),
    ("مدرسة", "مدرسه"), ("على", "علي"), ("العـــربية", "العربية"), ("کتاب", "كتاب"), ("שָׁלוֹם", "שלום"),
    ("ｶﾞｷﾞ", "ガギ"), ("か\u{3099}く", "がく"), ("\u{1112}\u{1161}\u{11AB}", "한"), ("don’t", "don't"),
    ("Å", "A\u{30A}"),
  ])
  func variantsFoldToSameWord(_ one: String, _ other: String) throws {
    let analysis = try Analysis()
    #expect(analysis.stream(one) == analysis.stream(other))
  }

  @Test func keptAccentsDistinguishWords() throws {
    let analysis = try Analysis(AnalyzerConfiguration(accents: .keep))
    #expect(analysis.stream("Ardèche") == "ardèche")
    #expect(analysis.stream("e\u{301}") == "é")
    #expect(analysis.stream("Straße ＡＢＣ İ") == "strasse|abc|i")
    #expect(analysis.stream("Qur\u{2BE}ān Hawai\u{2BB}i H₂O") == "qur\u{2BE}ān|hawai'i|h2o")
  }

  @Test(arguments: ["हिन्दी", "தமிழ்", "น้ำ", "မြန်မာ", "བོད"])
  func marksThatAreLettersAreKept(_ word: String) throws {
    let analysis = try Analysis()
    let kept = try Analysis(AnalyzerConfiguration(accents: .keep))
    #expect(analysis.stream(word) == kept.stream(word))
  }

  /// NFKC decomposes the vowel sign AM, with which dictionaries and readers spell words.
  @Test(arguments: [AnalyzerConfiguration.Accents.fold, .keep])
  func vowelSignAMIsComposed(accents: AnalyzerConfiguration.Accents) throws {
    let analysis = try Analysis(AnalyzerConfiguration(accents: accents))
    #expect(analysis.stream("น\u{E49}\u{E33}") == "น\u{E49}\u{E33}")
    let lao = analysis.stream("ນ\u{EC9}\u{EB3}").unicodeScalars
    #expect(lao.contains("\u{EB3}") && !lao.contains("\u{ECD}"))
  }

  @Test(arguments: [
    ("1\u{FE0F}\u{20E3}", "1"), ("1\u{20E3}", "1"), ("a\u{20DD}", "a"),
  ])
  func enclosingMarksAreRemoved(_ text: String, _ expected: String) throws {
    #expect(try Analysis().stream(text) == expected)
    let kept = try Analysis(AnalyzerConfiguration(accents: .keep))
    #expect(kept.stream("a\u{20DD}") == "a\u{20DD}")
  }

  @Test func hindiVowelSignsAreKept() throws {
    #expect(try Analysis().stream("हिन्दी में क़लम") == "हिन्दी|में|क\u{93C}लम")
  }
}
