import Synchronization

/// Numbers the runs of statements that make predictions, in the whole process.
enum PredictionRun {
  private static let last = Atomic<Int64>(0)

  /// A number that no other run has.
  static func next() -> Int64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
