public import Relevance

// Reads and writes TREC files, throwing public errors.

extension EvaluationQuery {
  /// Parses queries, in one of four formats:
  /// - lines with the id of a query, a tab, and the text of the query;
  /// - TREC topics, if the text contains `<top>`;
  /// - TREC topics in XML, as in the Web and COVID tracks: `<topic number="1">` with `<query>`, `<question>` or
  ///   `<description>`, and `<narrative>`;
  /// - JSON Lines as in BEIR, if the text begins with `{`: objects with `_id` and `text`.
  ///
  /// ```swift
  /// let queries = try EvaluationQuery.parse("q1\tgreen tea\nq2\tcoffee beans\n")
  /// ```
  ///
  /// - Parameters:
  ///   - text: the queries. Empty lines are skipped.
  ///   - name: the name of the text in error messages, such as a file name.
  ///   - fields: the parts of a TREC topic that form the text of the query.
  /// - Returns: the queries, in the order of the lines.
  /// - Throws: ``CBLError/invalidParameter`` if a line or topic is malformed, the id or the text is empty, an id
  ///   contains white space, or an id occurs twice. The message contains the line number.
  public static func parse(
    _ text: String, name: String = "queries", fields: TopicFields = .title
  ) throws -> [EvaluationQuery] {
    try withPublicErrors { try queries(in: text, name: name, fields: fields) }
  }
}

extension Measure {
  /// Creates a measure from its name in ir_measures.
  ///
  /// ```swift
  /// let measures = try ["AP", "nDCG@20", "RBP(p=0.8)"].map { try Measure($0) }
  /// ```
  ///
  /// - Parameter name: the name, with parameters in parentheses and a cutoff after `@`.
  /// - Throws: ``CBLError/invalidParameter`` for an unknown measure or parameter. The message lists the known ones.
  public init(_ name: String) throws {
    self = try withPublicErrors { try Measure(name: name) }
  }

  /// Checks that the grades of judgements are not higher than the measure supports: 4 for `ERR`, and 60 for `nDCG` with
  /// `dcg='exp-log2'` unless `gains` replaces them. Without this check, higher grades count as the highest.
  ///
  /// - Throws: ``CBLError/invalidParameter``. The message names the first document whose grade is too high.
  public func validate(_ judgements: RelevanceJudgements) throws { try withPublicErrors { try check(judgements) } }
}

extension RelevanceJudgements {
  /// Parses relevance judgements in the TREC format ("qrels"). Each line has four columns: the id of a query, an
  /// ignored column, the id of a document, and the grade. BEIR files, which begin with a line of column names, have
  /// three columns: `query-id`, `corpus-id` and `score`.
  ///
  /// - Parameters:
  ///   - text: the lines. Empty lines are skipped.
  ///   - name: the name of the text in error messages, such as a file name.
  /// - Throws: ``CBLError/invalidParameter`` if a line has a different number of columns, a grade is not an integer, or
  ///   a document has two different grades for a query. The message contains the line number.
  public init(parsing text: String, name: String = "qrels") throws {
    self = try withPublicErrors { try RelevanceJudgements(qrels: text, name: name) }
  }
}

extension EvaluationRun {
  /// Parses a run in the TREC format.
  ///
  /// As in trec_eval, the hits of a query are sorted by score, and ranks are ignored. Hits with equal scores remain in
  /// the order of the file.
  ///
  /// - Parameters:
  ///   - text: the lines. Empty lines are skipped.
  ///   - name: the name of the text in error messages, such as a file name.
  /// - Throws: ``CBLError/invalidParameter`` if a line does not have six columns, a score is not a number, or a
  ///   document occurs twice for a query. The message contains the line number.
  public init(parsing text: String, name: String = "run") throws {
    self = try withPublicErrors { try EvaluationRun(trecRun: text, name: name) }
  }

  /// Returns the run in the TREC format.
  ///
  /// Programs that read runs sort the hits by score. To preserve the order, a score that is not lower than
  /// the previous one in single precision is replaced by the next lower single-precision number.
  ///
  /// - Parameter name: the name of the run (its tag), which is written in the last column.
  /// - Returns: one line per hit.
  /// - Throws: ``CBLError/invalidParameter`` if the name, or the id of a query or document, is empty or contains white
  ///   space, which the format cannot represent.
  public func text(name: String) throws -> String {
    try withPublicErrors { try trecText(name: name) }
  }
}
