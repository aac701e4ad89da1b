import Concordance
import JSONText

extension IndexSummary {
  /// Writes the name, the definition and the size. The definition has the keys of the request that creates an index;
  /// `fields` is the older name of `expressions`.
  func write(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("kind", kind)
    for key in ["fields", "expressions"] {
      writer.member(key) { writer in writer.array { writer in (fields + expressions).forEach { writer.write($0) } } }
    }
    if let analyzer { write(analyzer, to: &writer) }
    if let condition = `where` { writer.member("where", condition) }
    if let path { writer.member("array", path) }
    writer.member("documentCount", documentCount)
    writer.member("size", size)
    writer.member("isOutdated", isOutdated)
    writer.member("isIncomplete", isIncomplete)
  }

  private func write(_ analyzer: AnalyzerConfiguration, to writer: inout JSONWriter) {
    if let language = analyzer.language { writer.member("language", language) }
    writer.member("accents", analyzer.accents.rawValue)
    writer.member("code", analyzer.code)
    switch analyzer.stopWords {
    case .none: writer.member("stopWords", "none")
    case .language: writer.member("stopWords", "language")
    case .custom(let words):
      writer.member("stopWords") { writer in writer.array { writer in words.forEach { writer.write($0) } } }
    }
  }
}
