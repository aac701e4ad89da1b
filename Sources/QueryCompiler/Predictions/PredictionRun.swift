import Synchronization

/// Numbers the runs of statements that make predictions, in the whole process. The statements that write one document to
/// several indexes have one number, so that a model is called once for them.
public enum PredictionRun {
  private static let last = Atomic<Int64>(0)

  /// A number that no other run has.
  public static func next() -> Int64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
