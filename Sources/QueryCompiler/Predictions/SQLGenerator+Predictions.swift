import JSONText
import QueryModel
import SQLiteAccess

/// Calls of PREDICTION.
extension SQLGenerator {
  /// An index that holds what a model makes of the documents of a source.
  struct IndexedPredictions {
    /// The call with its model and input alone.
    let call: QueryExpression
    let source: String
    let index: StoredValueIndex
    /// Whether rows of the query may have no document of the source: behind LEFT JOIN.
    let isOptional: Bool
  }

  /// SQL for the exact value of a prediction or a property of it.
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
          .invalid, "the property \"\(text)\" of PREDICTION has [], which names many values; use UNNEST, ANY or EVERY")
      }
      return member(output, path)
    } catch let error as PropertyPathError {
      throw QueryCompilationError(.invalid, "the property of PREDICTION is no \(error)")
    }
  }

  private func output(_ call: QueryExpression, _ arguments: [QueryExpression]) throws -> String {
    guard let cache = indexedPredictions.first(where: { $0.call.isIdentical(to: call) }) else {
      return try question(arguments)
    }
    notePrediction(from: cache)
    let row = "\(try document(cache.source)).rowid"
    let stored = "(SELECT output FROM \(cache.index.tableName) WHERE doc = \(row))"
    // Of no document the input is an object as well, of which the model may say something.
    return cache.isOptional ? "CASE WHEN \(row) IS NULL THEN \(try question(arguments)) ELSE \(stored) END" : stored
  }

  /// The call of the model.
  private func question(_ arguments: [QueryExpression]) throws -> String {
    "\(PredictionSQLFunction.name)(\(predictionRun), \(try exact(arguments[0])), \(try exact(arguments[1])))"
  }
}
