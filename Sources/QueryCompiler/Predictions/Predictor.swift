import Synchronization

/// Calls a model that the program has registered. The input and the output are objects as JSON text; the output is nil
/// if the model returns nothing. It throws if there is no such model. It may be called on any thread and by several
/// threads concurrently.
public typealias Predictor = @Sendable (_ model: String, _ input: [UInt8]) throws -> [UInt8]?

/// A cache of the last predictions of one connection, which is used by one thread at a time.
///
/// `PREDICTION(m, x, 'label')` and `PREDICTION(m, x, 'probability')` in one row need only one prediction, and an index
/// needs it both as a sort key and as an exact value. A model call may take as long as reading a thousand rows, so the
/// last few outputs are cached by the model's name and the bytes of the input. They are valid for one run of a
/// statement, or for the statements of one save, because the next run may use another model.
final class ConnectionPredictionCache {
  private struct Entry {
    let model: String
    let input: [UInt8]
    let output: [UInt8]?
  }

  private let predictor: Predictor
  private var run: Int64 = 0
  private var entries: [Entry] = []

  /// The maximum number of cached outputs; a row rarely has more predictions.
  private static let capacity = 8

  init(_ predictor: @escaping Predictor) { self.predictor = predictor }

  /// Returns the output of a model.
  ///
  /// - Parameter run: the number of the run of a statement, from ``PredictionRun``.
  func output(of model: String, for input: [UInt8], in run: Int64) throws -> [UInt8]? {
    if run != self.run {
      self.run = run
      entries.removeAll(keepingCapacity: true)
    }
    if let known = entries.first(where: { $0.input == input && $0.model == model }) { return known.output }
    let output = try predictor(model, input)
    // The model may have run a query that contains predictions.
    guard run == self.run else { return output }
    if entries.count == ConnectionPredictionCache.capacity { entries.removeFirst() }
    entries.append(Entry(model: model, input: input, output: output))
    return output
  }
}

/// Numbers for the runs of statements that make predictions, unique in the process. The statements that write one
/// document to several indexes share a number, so that a model is called only once for them.
public enum PredictionRun {
  private static let last = Atomic<Int64>(0)

  /// Returns a number that no other run has.
  public static func next() -> Int64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
