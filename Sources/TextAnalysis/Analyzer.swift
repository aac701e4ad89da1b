/// Converts text to terms, in the same way for an index, its queries, highlights and suggestions.
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
/// Segmentation:
///
/// | text | terms |
/// |---|---|
/// | words | one term for each word of UAX #29 (ICU's root rules), such as `3.14`, `don't` and `foo_bar` |
/// | `.`, `:` or `@` between letters | separates terms |
/// | a change of script | begins a term: `abcабв` gives `abc` and `абв` |
/// | Han, Hiragana, Katakana | a bigram at each character, a single character at the end of a run |
/// | Thai, Lao, Khmer, Burmese | words, found with ICU's dictionaries |
/// | emoji | one term per sequence |
/// | identifiers | also split into their parts if ``AnalyzerConfiguration/code`` is set |
///
/// For folding see ``AnalyzerConfiguration/Accents``, for stemming ``AnalyzerConfiguration/language``.
///
/// An analyzer is an immutable value that threads may share. Each thread needs a tokenizer.
public struct Analyzer: Sendable {
  public let configuration: AnalyzerConfiguration
  /// The synonyms of the configuration, in analyzed form.
  public let synonyms: SynonymTable
  private let plan: AnalysisPlan
  private let pool = TokenizerPool()
  let variants = AnalyzerVariants()

  /// Validates a configuration and prepares its tables.
  ///
  /// - Throws: ``AnalyzerError`` if the language is unknown, if stop words are requested without a language, if a stop
  ///   word or a synonym contains no word, or if ICU's data is missing.
  public init(_ configuration: AnalyzerConfiguration) throws {
    self.configuration = configuration
    plan = try AnalysisPlan(configuration)
    synonyms = try SynonymTable(configuration.synonyms, analyzedBy: Tokenizer(plan))
  }

  /// The languages that ``AnalyzerConfiguration/language`` accepts, by code or name.
  public static var languages: [Language] { Language.all }

  /// Creates a tokenizer, to be used on one thread at a time. It takes about 2 MB; reuse it for many texts.
  public func makeTokenizer() -> Tokenizer { Tokenizer(plan) }

  /// Returns a pooled tokenizer, or a new one if the pool is empty. Use it for short, frequent work such as queries.
  public func takeTokenizer() -> Tokenizer { pool.take() ?? Tokenizer(plan) }

  /// Returns a tokenizer from ``takeTokenizer()`` to the pool. The caller must not use it afterwards.
  public func recycle(_ tokenizer: Tokenizer) { pool.give(tokenizer) }
}
