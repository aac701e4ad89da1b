public import Relevance

// Reading and writing TREC files, with public errors.

extension EvaluationQuery {
  /// Parses queries. Each line contains the id of a query, a tab, and the text of the query.
  ///
  /// ```swift
  /// let queries = try EvaluationQuery.parse("q1\tgreen tea\nq2\tcoffee beans\n")
  /// ```
  ///
  /// - Parameters:
  ///   - text: the lines. Empty lines are skipped.
  ///   - name: the name of the text in error messages, such as a file name.
  /// - Returns: the queries, in the order of the lines.
  /// - Throws: ``CBLError/invalidParameter`` if a line has no tab, the id or the text is empty, an id contains white
  ///   space, or an id occurs twice. The message contains the line number.
  public static func parse(_ text: String, name: String = "queries") throws -> [EvaluationQuery] {
    try withPublicErrors { try queries(inLines: text, name: name) }
  }
}

extension RelevanceJudgements {
  /// Parses relevance judgements in the TREC format ("qrels"). Each line has four columns: the id of a query, an
  /// ignored column, the id of a document, and the grade.
  ///
  /// - Parameters:
  ///   - text: the lines. Empty lines are skipped.
  ///   - name: the name of the text in error messages, such as a file name.
  /// - Throws: ``CBLError/invalidParameter`` if a line does not have four columns, a grade is not an integer, or a
  ///   document has two different grades for a query. The message contains the line number.
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
  /// The scores are not those of the search, which may be equal, but count down from the number of hits, so that
  /// programs that sort by score, such as trec_eval, preserve the order.
  ///
  /// - Parameter name: the name of the run, which is written in the last column.
  /// - Returns: one line per hit.
  /// - Throws: ``CBLError/invalidParameter`` if an id contains white space, which the format cannot represent.
  public func text(name: String) throws -> String {
    try withPublicErrors { try trecText(name: name) }
  }
}
