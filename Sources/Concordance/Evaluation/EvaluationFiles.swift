public import Relevance

// The readers and the writer of TREC's files, with the errors of the public library.

extension EvaluationQuery {
  /// Reads queries, a line each: the id, a tab, the text.
  ///
  /// - Parameters:
  ///   - text: the lines; empty ones are skipped.
  ///   - name: what messages call the text.
  /// - Throws: ``CBLError/invalidParameter`` with the number of the line: no tab, nothing on one side of it, white space in an
  ///   id, or an id that occurs twice.
  public static func parse(_ text: String, name: String = "queries") throws -> [EvaluationQuery] {
    try withPublicErrors { try queries(inLines: text, name: name) }
  }
}

extension RelevanceJudgements {
  /// Reads judgements.
  ///
  /// - Parameters:
  ///   - text: the lines; empty ones are skipped.
  ///   - name: what messages call the text.
  /// - Throws: ``CBLError/invalidParameter`` with the number of the line: not four columns, a grade that is not a whole number,
  ///   or a document that is judged again with another grade.
  public init(parsing text: String, name: String = "qrels") throws {
    self = try withPublicErrors { try RelevanceJudgements(qrels: text, name: name) }
  }
}

extension EvaluationRun {
  /// Reads a run. Like trec_eval it orders the hits of a query by their scores, not by their ranks; hits of equal score
  /// stay in the order of the file.
  ///
  /// - Parameters:
  ///   - text: the lines; empty ones are skipped.
  ///   - name: what messages call the text.
  /// - Throws: ``CBLError/invalidParameter`` with the number of the line: not six columns, a score that is not a number, or a
  ///   document that occurs twice for a query.
  public init(parsing text: String, name: String = "run") throws {
    self = try withPublicErrors { try EvaluationRun(trecRun: text, name: name) }
  }

  /// The run as text. The scores count down from the number of hits, so that readers that sort by score, as trec_eval does,
  /// get this order: the scores of a search may be equal.
  ///
  /// - Parameter name: the name in the last column.
  /// - Throws: ``CBLError/invalidParameter`` for an id with white space, which the format cannot hold.
  public func text(name: String) throws -> String {
    try withPublicErrors { try trecText(name: name) }
  }
}
