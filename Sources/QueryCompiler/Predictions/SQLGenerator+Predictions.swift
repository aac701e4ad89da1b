import JSONText
import QueryModel
import SQLiteAccess

/// Calls to PREDICTION.
extension SQLGenerator {
  /// An index that contains the outputs of a model for the documents of a source.
  struct IndexedPredictions {
    /// The call with only its model and input.
    let call: QueryExpression
    let source: String
    let index: StoredValueIndex
    /// Whether rows of the query may have no document of the source because of a LEFT JOIN.
    let isOptional: Bool
  }

  /// Returns SQL for the exact value of a prediction or of one of its properties.
  func prediction(_ arguments: [QueryExpression]) throws -> String {
    let output = try output(.function(.prediction, Array(arguments.prefix(2)), isDistinct: false), arguments)
    guard arguments.count > 2 else { return output }
    guard case .string(let text) = arguments[2] else {
      throw QueryCompilationError(
        .invalid, "the third argument of PREDICTION, a property of the output, must be a string")
    }
    do {
      let path = try PropertyPath(QueryExpression.predictionProperty(text))
      guard !path.components.contains(.each) else {
        throw QueryCompilationError(
          .invalid,
          "the property \"\(text)\" of PREDICTION contains [], which selects several values; "
            + "use UNNEST, ANY or EVERY")
      }
      return member(output, path)
    } catch let error as PropertyPathError {
      throw QueryCompilationError(.invalid, "the property of PREDICTION is not a \(error)")
    }
  }

  private func output(_ call: QueryExpression, _ arguments: [QueryExpression]) throws -> String {
    guard let cache = indexedPredictions.first(where: { $0.call.isIdentical(to: call) }) else {
      return try modelCall(arguments)
    }
    notePrediction(from: cache)
    let row = "\(try document(cache.source)).rowid"
    let stored = "(SELECT output FROM \(cache.index.tableName) WHERE doc = \(row))"
    // Without a document, the input may still be an object for which the model returns an output.
    return cache.isOptional ? "CASE WHEN \(row) IS NULL THEN \(try modelCall(arguments)) ELSE \(stored) END" : stored
  }

  /// Returns SQL that calls the model.
  private func modelCall(_ arguments: [QueryExpression]) throws -> String {
    "\(PredictionSQLFunction.name)(\(predictionRun), \(try exact(arguments[0])), \(try exact(arguments[1])))"
  }
}
