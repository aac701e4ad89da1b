import CouchbaseLiteFile
import JSONText
import QueryModel
import TextAnalysis

/// Converts the definition of a Couchbase Lite index to an index configuration of this library.
///
/// | kind | form of the definition |
/// |---|---|
/// | value | `[[".type"], [".name"]]`, `{"WHAT": […], "WHERE": …}`, or `type, LOWER(name)` with a separate condition |
/// | full-text | the same with properties only; the language is in the SQL of the table |
/// | array, predictive, vector | not converted |
struct CouchbaseLiteIndexConversion {
  let configuration: any IndexConfiguration
  /// The differences between the two indexes.
  private(set) var notes: [String] = []

  /// Converts a definition.
  ///
  /// - Throws: ``CBLError/unsupported`` if the index is not a value or full-text index, or if a full-text index
  ///   contains an expression; ``CBLError/invalidQuery`` if an expression cannot be parsed.
  init(_ index: SourceIndex) throws {
    let definition = try Definition(index)
    switch index.kind {
    case .value:
      configuration = ValueIndexConfiguration(
        definition.expressions.map { SQLPrinter().text(of: $0) },
        where: definition.condition.map { SQLPrinter().text(of: $0) })
    case .fullText:
      let fields = try definition.expressions.map(CouchbaseLiteIndexConversion.field)
      var configuration = FullTextIndexConfiguration(
        fields, where: definition.condition.map { SQLPrinter().text(of: $0) },
        ignoreAccents: index.tokenizerOptions["remove_diacritics"] != "0")
      configuration.analyzer.language = index.tokenizerOptions["stemmer"]
      if let language = configuration.language {
        let supported = Analyzer.languages.contains { $0.code == language }
        if !supported {
          notes.append("words are not stemmed, because there is no stemmer for the language \"\(language)\"")
          configuration.analyzer.language = nil
        }
      }
      notes += CouchbaseLiteIndexConversion.addStopWords(index.tokenizerOptions, to: &configuration.analyzer)
      self.configuration = configuration
    case .array: throw CouchbaseLiteIndexConversion.unsupported("an array index")
    case .predictive: throw CouchbaseLiteIndexConversion.unsupported("a predictive index")
    case .vector: throw CouchbaseLiteIndexConversion.unsupported("a vector index")
    case nil: throw CouchbaseLiteIndexConversion.unsupported("an index of an unknown kind")
    }
  }

  /// Adds the stop words of a full-text index. Couchbase Lite does not index them; here, searches may ignore them.
  ///
  /// - Returns: the differences between the two indexes.
  private static func addStopWords(
    _ options: [String: String], to analyzer: inout AnalyzerConfiguration
  ) -> [String] {
    if let list = options["stopwordlist"] {
      let words = list.split { $0.isWhitespace || $0 == "," }.map(String.init)
      // Each word is checked separately, so that an unusable word does not prevent the creation of the index.
      let usable = words.filter { word in
        var configuration = analyzer
        configuration.stopWords = .custom([word])
        return (try? Analyzer(configuration)) != nil
      }
      if !usable.isEmpty { analyzer.stopWords = .custom(usable) }
      if usable.count < words.count {
        let omitted = words.filter { !usable.contains($0) }.joined(separator: ", ")
        return ["stop words that are not single words were omitted: \(omitted)"]
      }
    } else if let language = options["stopwords"], !language.isEmpty {
      guard analyzer.language != nil else {
        return ["the stop words of the language \"\(language)\" are not used, because words are not stemmed"]
      }
      analyzer.stopWords = .language
    }
    return []
  }

  private static func unsupported(_ what: String) -> CBLError {
    CBLError(CBLError.unsupported, "\(what) cannot be converted; create it again if you need it")
  }

  /// Returns the path of an expression that is a property. Throws for any other expression.
  private static func field(_ expression: QueryExpression) throws -> String {
    guard case .property(let path, _) = expression else {
      throw CBLError(
        CBLError.unsupported,
        "a full-text index over the expression \(SQLPrinter().text(of: expression)), which is not a property")
    }
    return "\(path)"
  }
}

/// The parsed expressions and the condition of an index.
private struct Definition {
  let expressions: [QueryExpression]
  let condition: QueryExpression?

  init(_ index: SourceIndex) throws {
    let text = index.expression.drop { $0.isWhitespace }
    guard text.hasPrefix("[") || text.hasPrefix("{") else {
      // A list of expressions has the syntax of a result list, so it is parsed as one.
      expressions = try withPublicErrors { try SQLParser().parse("SELECT \(text) FROM _").columns.map(\.expression) }
      condition = try index.condition.map { text in
        try withPublicErrors { try SQLParser().parseExpression(text) }
      }
      return
    }
    let parser = JSONQueryParser()
    (expressions, condition) = try withPublicErrors {
      let value = try JSONParser.withShared { JSONValue(try $0.parse(utf8: String(text))) }
      let what: JSONValue? = value.member("WHAT") ?? value
      guard case .array(let items)? = what else {
        throw CBLError(CBLError.invalidQuery, "its definition is not a list of expressions")
      }
      let separate = try index.condition.map { text in
        try JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }
      }
      return (
        try items.map { try parser.parseExpression($0) },
        try (value.member("WHERE") ?? separate).map { try parser.parseExpression($0) }
      )
    }
  }
}

extension JSONValue {
  /// Returns the value of the first member whose key equals an uppercase key, ignoring case; nil if there is none.
  fileprivate func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.uppercased() == key }?.value
  }
}
