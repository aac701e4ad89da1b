/// An effectiveness measure, identified by its name in ir_measures, <https://ir-measur.es>: `AP`, `nDCG@20`,
/// `P(rel=2)@5`.
///
/// ```swift
/// let measure = try Measure("nDCG@20")
/// let means = MeasuredRun(run, by: judgements, [measure]).means
/// ```
///
/// The definitions are those of the programs that ir_measures calls: trec_eval for most, gdeval for `ERR` and
/// `nDCG(dcg='exp-log2')`. `RBP` is that of Moffat and Zobel (2008): cwl_eval, which ir_measures calls, also divides by
/// the sum of the weights of the first 1,000 hits, which differs from 1 only for a persistence above about 0.98. A
/// document without a judgement is not relevant.
public struct Measure: Hashable, Sendable, CustomStringConvertible {
  /// The families of measures.
  enum Family: String, CaseIterable {
    case averagePrecision = "AP"
    case nDCG
    case precision = "P"
    case recall = "R"
    case reciprocalRank = "RR"
    case rPrecision = "Rprec"
    case success = "Success"
    case binaryPreference = "Bpref"
    case inferredAveragePrecision = "infAP"
    case interpolatedPrecision = "IPrec"
    case judged = "Judged"
    case expectedReciprocalRank = "ERR"
    case rankBiasedPrecision = "RBP"
    case accuracy = "Accuracy"
    case compatibility = "Compat"
    case setPrecision = "SetP"
    case setRecall = "SetR"
    case setF = "SetF"
    case setAveragePrecision = "SetAP"
    case setRelativePrecision = "SetRelP"
    case hitCount = "NumRet"
    case relevantCount = "NumRel"
    case relevantHitCount = "NumRelRet"
    case queryCount = "NumQ"
  }

  /// The formulas of the discounted gain.
  enum Gain: String, Hashable {
    /// The grade.
    case linear = "log2"
    /// 2 to the power of the grade, minus 1.
    case exponential = "exp-log2"
  }

  /// The name as it was given, without white space.
  public let description: String
  let family: Family
  /// The number of hits that count; nil for all.
  var cutoff: Int?
  /// The recall of `IPrec`; nil for other measures.
  var recall: Double?
  /// The lowest grade of a relevant document; nil if the name does not contain it.
  var relevantGrade: Int?
  /// Whether documents without a judgement are removed from the hits first.
  var judgedOnly = false
  /// The persistence of `RBP` and `Compat`.
  var persistence = 0.8
  /// The weight of recall in `SetF`.
  var beta = 1.0
  var gain = Gain.linear
  /// The gains that `nDCG` uses instead of grades, by grade.
  var gains: [Int: Int] = [:]
  /// Whether `Compat` is divided by its highest possible value.
  var normalizes = true

  /// Parses the name of a measure.
  ///
  /// - Throws: ``MeasureError`` for an unknown measure or parameter. The message lists the known ones.
  package init(name: String) throws { self = try MeasureParser.measure(name) }

  init(_ family: Family, description: String) {
    self.family = family
    self.description = description
  }

  /// Whether the value for a set of queries is the sum of the queries' values, not their mean.
  public var isSum: Bool {
    switch family {
    case .hitCount, .relevantCount, .relevantHitCount, .queryCount: true
    default: false
    }
  }

  /// The order of hits with equal scores, which differs between the programs that ir_measures calls.
  var tieOrder: EvaluationRun.TieOrder {
    switch family {
    case .judged, .compatibility: .ascendingIDs
    case .reciprocalRank: cutoff == nil ? .descendingIDs : .ascendingIDs
    case .rankBiasedPrecision, .accuracy: .file
    case .expectedReciprocalRank: .descendingIDsInDoublePrecision
    case .nDCG: gain == .exponential && gains.isEmpty ? .descendingIDsInDoublePrecision : .descendingIDs
    default: .descendingIDs
    }
  }

  /// The names of all measures.
  public static var names: [String] { Family.allCases.map(\.rawValue) }
}

/// An error for the name of a measure.
package struct MeasureError: Error, Hashable, CustomStringConvertible {
  /// A description of the error, with the name.
  package let description: String
}
