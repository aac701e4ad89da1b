/// Turns text into terms: the same way for an index, its queries, highlights and suggestions.
///
/// ```swift
/// let analyzer = try Analyzer(AnalyzerConfiguration(language: "fr"))
/// let tokenizer = analyzer.makeTokenizer()
/// let buffer = TokenBuffer()
/// var text = "L'Ardèche"
/// text.withUTF8 { tokenizer.tokenize(UnsafeRawBufferPointer($0), into: buffer) }
/// String(decoding: buffer.stream, as: UTF8.self)             // "l'ardeche\u{1F}ardech"
/// tokenizer.queryTerms("ardeche", prefix: false)[0].forms    // ["ardech", "ardeche"]
/// ```
///
/// How a text is divided:
///
/// | text | terms |
/// |---|---|
/// | words | by UAX #29 (ICU's root rules); `.` `:` `@` part letters, `3.14`, `don't` and `foo_bar` stay whole |
/// | a change of script | a new term: `abcабв` gives `abc` and `абв` |
/// | Han, Hiragana, Katakana | a bigram at each character, the last character of a run alone |
/// | Thai, Lao, Khmer, Burmese | words of ICU's dictionaries |
/// | emoji | each sequence one term |
/// | identifiers | also their parts, with ``AnalyzerConfiguration/code`` |
///
/// Folding is described at ``AnalyzerConfiguration/Accents``, stemming at ``AnalyzerConfiguration/language``.
///
/// An analyzer is an immutable value. It can be shared by all threads; the work is done by tokenizers.
public struct Analyzer: Sendable {
  public let configuration: AnalyzerConfiguration
  /// The synonyms of the configuration, in analysed form.
  public let synonyms: SynonymTable
  private let plan: AnalysisPlan
  private let pool = TokenizerPool()

  /// Checks a configuration and prepares its tables.
  ///
  /// - Throws: ``AnalyzerError``: the language is unknown, the stop words of no language are asked for, a stop
  ///   word or a synonym holds no word, or ICU's data is missing.
  public init(_ configuration: AnalyzerConfiguration) throws {
    self.configuration = configuration
    plan = try AnalysisPlan(configuration)
    synonyms = try SynonymTable(configuration.synonyms, analysedBy: Tokenizer(plan))
  }

  /// The languages that ``AnalyzerConfiguration/language`` accepts, by code or name.
  public static var languages: [Language] { Language.all }

  /// A tokenizer for one thread. It takes about 2 MB; keep it for many texts.
  public func makeTokenizer() -> Tokenizer { Tokenizer(plan) }

  /// A tokenizer that was given back before, or a new one. For short work that comes again and again, such as queries.
  public func takeTokenizer() -> Tokenizer { pool.take() ?? Tokenizer(plan) }

  /// Gives back what ``takeTokenizer()`` handed out, for the next one; not to be used any more by the caller.
  public func giveBack(_ tokenizer: Tokenizer) { pool.give(tokenizer) }
}
