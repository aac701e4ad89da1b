import Synchronization

/// Asks a model of the program what it makes of an input: the JSON text of an object in, that of another one out; nil where the
/// model says nothing. It throws where there is no such model. It is called in any thread, and by several at a time.
public typealias Predictor = @Sendable (_ model: String, _ input: [UInt8]) throws -> [UInt8]?

/// The predictions of one connection, which is used by one thread at a time.
///
/// `PREDICTION(m, x, 'label')` and `PREDICTION(m, x, 'probability')` in one row are one prediction, and an index asks for it as
/// a sort key and exactly; a model may take as long as a thousand rows. So the last few outputs are kept, each under the
/// model's name and the bytes of the input. Only for one run of a statement, or of the statements of one save: the next run
/// may have another model.
final class ConnectionPredictionCache {
  private struct Entry {
    let model: String
    let input: [UInt8]
    let output: [UInt8]?
  }

  private let predictor: Predictor
  private var run: Int64 = 0
  private var entries: [Entry] = []

  /// As many different predictions as a row may well have.
  private static let capacity = 8

  init(_ predictor: @escaping Predictor) { self.predictor = predictor }

  /// The output of a model.
  ///
  /// - Parameter run: the number of the run of a statement, from ``PredictionRun``.
  func output(of model: String, for input: [UInt8], in run: Int64) throws -> [UInt8]? {
    if run != self.run {
      self.run = run
      entries.removeAll(keepingCapacity: true)
    }
    if let known = entries.first(where: { $0.input == input && $0.model == model }) { return known.output }
    let output = try predictor(model, input)
    // The model may have asked for other predictions itself, by a query.
    guard run == self.run else { return output }
    if entries.count == ConnectionPredictionCache.capacity { entries.removeFirst() }
    entries.append(Entry(model: model, input: input, output: output))
    return output
  }
}

/// Numbers the runs of statements that make predictions, in the whole process. The statements that write one document to
/// several indexes have one number, so that a model is called once for them.
public enum PredictionRun {
  private static let last = Atomic<Int64>(0)

  /// A number that no other run has.
  public static func next() -> Int64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
