import Concordance
import Foundation

/// Evaluates a set of queries for many combinations of parameters, in parallel.
struct ParameterSweep {
  /// The values of the measures for each combination.
  struct Result {
    var combinations: [SweepArgument.Combination]
    var runs: [MeasuredRun]
  }

  private let collection: Collection
  private let queries: [EvaluationQuery]
  private let judgements: RelevanceJudgements
  private let settings: SearchRequest
  private let depth: Int
  private let measures: [Measure]
  private let evaluatedIDs: [String]

  /// - Parameter ids: the ids of the queries to evaluate, including those that have judgements but are not run.
  init(
    _ collection: Collection, _ queries: [EvaluationQuery], _ judgements: RelevanceJudgements,
    _ settings: SearchRequest, depth: Int, _ measures: [Measure], evaluated ids: [String]
  ) {
    self.collection = collection
    self.queries = queries
    self.judgements = judgements
    self.settings = settings
    self.depth = depth
    self.measures = measures
    evaluatedIDs = ids
  }

  func run(_ combinations: [SweepArgument.Combination], _ messages: Messages) throws -> Result {
    var result = Result(combinations: combinations, runs: [])
    // Runs as many combinations at a time as there are processors, so that progress can be printed in between.
    let width = max(1, ProcessInfo.processInfo.activeProcessorCount)
    for start in stride(from: 0, to: combinations.count, by: width) {
      messages.status("\(start) of \(combinations.count) combinations")
      result.runs += try measured(Array(combinations[start..<min(start + width, combinations.count)]))
    }
    Messages.clearStatus()
    return result
  }

  private func measured(_ combinations: [SweepArgument.Combination]) throws -> [MeasuredRun] {
    let results = SweepResults(count: combinations.count)
    DispatchQueue.concurrentPerform(iterations: combinations.count) { number in
      results.set(number, Swift.Result { try measured(combinations[number]) })
    }
    return try results.all().map { try $0.get() }
  }

  private func measured(_ combination: SweepArgument.Combination) throws -> MeasuredRun {
    var request = settings
    for (parameter, value) in combination { parameter.set(value, in: &request) }
    return MeasuredRun(
      try collection.run(queries, request, depth: depth), by: judgements, measures, queries: evaluatedIDs)
  }
}

/// Results that several threads write.
///
/// `@unchecked Sendable`: `lock` protects `results`.
private final class SweepResults: @unchecked Sendable {
  private let lock = NSLock()
  private var results: [Swift.Result<MeasuredRun, any Error>?]

  init(count: Int) { results = Array(repeating: nil, count: count) }

  func set(_ number: Int, _ result: Swift.Result<MeasuredRun, any Error>) {
    lock.withLock { results[number] = result }
  }

  func all() -> [Swift.Result<MeasuredRun, any Error>] { lock.withLock { results.compactMap { $0 } } }
}
