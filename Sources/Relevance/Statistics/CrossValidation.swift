/// k-fold cross-validation of parameters over queries.
///
/// The queries are divided into k folds. For each fold, the parameters with the highest mean over the other queries are
/// chosen, and the fold is measured with them. Therefore, no query contributes to the choice of the parameters with
/// which it is measured, and the mean is an estimate for unseen queries.
public struct CrossValidation: Sendable {
  /// The index of the run that was chosen for each fold.
  public let chosen: [Int]
  /// The mean over the queries for which the measure is defined in all runs, each measured with the run that was chosen
  /// for its fold. For a measure that is a sum, such as `NumRelRet`, it is also the mean per query.
  public let mean: Double

  /// Cross-validates the runs; returns nil if there are no runs or the measure is defined in all runs
  /// for fewer than two queries.
  ///
  /// - Parameters:
  ///   - runs: the measured runs of the combinations of parameters, with the same queries.
  ///   - measure: the index of the measure.
  ///   - folds: the number of folds, k, at least 2. More folds than queries have no effect. The query with the index i
  ///     among those for which the measure is defined in all runs is in fold i mod k.
  public init?(_ runs: [MeasuredRun], measure: Int, folds: Int) {
    let queries = (runs.first?.queries ?? []).filter { query in runs.allSatisfy { $0.isDefined(measure, query) } }
    guard queries.count > 1, folds > 1 else { return nil }
    let folds = min(folds, queries.count)
    var chosen: [Int] = []
    var sum = 0.0
    for fold in 0..<folds {
      func total(_ run: MeasuredRun, isTest: Bool) -> Double {
        queries.enumerated().reduce(0) { sum, query in
          (query.offset % folds == fold) == isTest ? sum + run.value(measure, query.element) : sum
        }
      }
      let totals = runs.map { total($0, isTest: false) }
      // If several runs are equally good, the first is chosen.
      let best = totals.indices.reduce(0) { totals[$1] > totals[$0] ? $1 : $0 }
      chosen.append(best)
      sum += total(runs[best], isTest: true)
    }
    self.chosen = chosen
    mean = sum / Double(queries.count)
  }
}
