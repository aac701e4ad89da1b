import GRDBSQLite
import JSONText

/// `concordance_prediction(run, model, input)`: the output of a model, exact. MISSING where the model says nothing, or the input
/// is MISSING or null; any other input than an object is an error.
final class PredictionSQLFunction {
  static let name = "concordance_prediction"

  private let memory: ConnectionPredictionCache

  private init(_ predictor: @escaping Predictor) { memory = ConnectionPredictionCache(predictor) }

  static func register(_ predictor: @escaping Predictor, on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, name, 3, SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(PredictionSQLFunction(predictor)).toOpaque(),
      { context, _, arguments in
        guard let owner = sqlite3_user_data(context), let arguments else { return }
        Unmanaged<PredictionSQLFunction>.fromOpaque(owner).takeUnretainedValue().call(context, arguments)
      }, nil, nil,
      // SQLite calls this after a failure as well.
      { owner in if let owner { Unmanaged<PredictionSQLFunction>.fromOpaque(owner).release() } })
  }

  private func call(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>) {
    do {
      let name = SQLArgument(handle: arguments[1])
      guard name.type == SQLITE_TEXT else { throw QueryRuntimeError.modelWithoutName(name.value) }
      let model = String(decoding: name.bytes, as: UTF8.self)
      let input = SQLArgument(handle: arguments[2])
      guard input.type == SQLITE_BLOB, input.bytes.first == UInt8(ascii: "{") else {
        switch input.value {
        case .missing, .null: return sqlite3_result_null(context)
        case let value: throw QueryRuntimeError.badInput(value, of: model)
        }
      }
      let output = try memory.output(of: model, for: Array(input.bytes), in: sqlite3_value_int64(arguments[0]))
      guard let output else { return sqlite3_result_null(context) }
      output.withUnsafeBytes {
        sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), SQLEncoding.transient)
      }
    } catch {
      SQLResult(context: context).set(error)
    }
  }
}
