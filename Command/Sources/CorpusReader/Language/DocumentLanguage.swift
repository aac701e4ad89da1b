/// Determines the language of documents. A rule of the options takes precedence over the language that the file
/// declares, which takes precedence over the detected language.
struct DocumentLanguage {
  private let detector: LanguageDetector?

  /// - Parameter detects: whether the language of other documents is detected.
  init(detects: Bool) { detector = detects ? LanguageDetector.shared : nil }

  /// Returns the code of the language of a text; nil if it is unknown. Source code has no language.
  func language(of text: UnsafeRawBufferPointer, declared: String? = nil, in source: SourceFile) -> String? {
    if let language = source.language ?? declared { return language }
    guard let detector, source.format != .code else { return nil }
    return detector.language(of: text)
  }
}
