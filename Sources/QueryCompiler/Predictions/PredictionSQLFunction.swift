import JSONText
import SQLiteAccess

/// `concordance_prediction(run, model, input)`: the output of a model in the exact encoding. It is MISSING if the model
/// returns nothing or the input is MISSING or null; any input other than an object is an error.
final class PredictionSQLFunction: SQLFunction {
  static let name = "concordance_prediction"

  private let cache: ConnectionPredictionCache

  init(_ predictor: @escaping Predictor) { cache = ConnectionPredictionCache(predictor) }

  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    do {
      let name = arguments[1]
      guard name.type == .text else { throw QueryRuntimeError.modelWithoutName(name.value) }
      let model = name.string
      let input = arguments[2]
      guard input.type == .blob, input.bytes.first == UInt8(ascii: "{") else {
        switch input.value {
        case .missing, .null: return result.setNull()
        case let value: throw QueryRuntimeError.badInput(value, of: model)
        }
      }
      let output = try cache.output(of: model, for: Array(input.bytes), in: arguments[0].int64)
      guard let output else { return result.setNull() }
      output.withUnsafeBytes { result.set(blob: $0) }
    } catch {
      result.set(error)
    }
  }
}
