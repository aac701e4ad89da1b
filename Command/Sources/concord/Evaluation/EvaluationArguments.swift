public import ArgumentParser
public import Concordance

extension EvaluationQuery.TopicFields: @retroactive ExpressibleByArgument {}

/// Measures as an argument: `AP nDCG@20`, separated by spaces.
struct MeasureList {
  let measures: [Measure]

  /// The default measures of `concord eval`. All of these names are valid, so none is dropped.
  static let standard = MeasureList(
    measures: ["AP", "nDCG@10", "P@10", "P@30", "R@100", "RR"].compactMap { try? Measure($0) })

  private init(measures: [Measure]) { self.measures = measures }

  /// - Throws: `ValidationError` for an invalid measure, or if there are none.
  init(parsing argument: String) throws {
    // Measures contain spaces and commas only within parentheses.
    var names = [""]
    var depth = 0
    for character in argument {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0, character.isWhitespace || character == "," {
        names.append("")
      } else {
        names[names.count - 1].append(character)
      }
    }
    measures = try names.filter { !$0.isEmpty }.map { name in
      do {
        return try Measure(name)
      } catch let error as CBLError {
        let suggestion = TRECEvalName.suggestion(for: name)
          .map { "\"\(name)\" is a name of trec_eval. Measures have the names of ir_measures: \($0)." }
        throw ValidationError(suggestion ?? error.message)
      }
    }
    if measures.isEmpty { throw ValidationError("--measures takes the names of measures, as in 'AP nDCG@20'.") }
  }
}

/// Names of measures in trec_eval.
enum TRECEvalName {
  private static let names = [
    "map": "AP", "recip_rank": "RR", "rprec": "Rprec", "bpref": "Bpref", "infap": "infAP", "ndcg": "nDCG",
    "num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet", "num_q": "NumQ", "set_p": "SetP",
    "set_recall": "SetR", "set_f": "SetF", "set_map": "SetAP", "set_relative_p": "SetRelP",
  ]
  private static let prefixes = [
    "map_cut_": "AP", "ndcg_cut_": "nDCG", "p_": "P", "recall_": "R", "success_": "Success",
  ]

  /// Returns the name in ir_measures of a measure of trec_eval; nil for other names.
  static func suggestion(for name: String) -> String? {
    let name = name.lowercased()
    if let known = names[name] { return known }
    guard let (prefix, family) = prefixes.first(where: { name.hasPrefix($0.key) }) else { return nil }
    return Int(name.dropFirst(prefix.count)).flatMap { $0 > 0 ? "\(family)@\($0)" : nil }
  }
}

/// The parameters of a sweep and their values as an argument: `k1=0.6..2.0/0.2,b=0.3:0.5`.
struct SweepArgument {
  /// A parameter of searches.
  enum Parameter: String, CaseIterable, Sendable {
    case k1, b, mu, lambda, c, documents, terms, weight

    /// The parameter of the ranking model; nil for the others.
    var model: RankingModel.Parameter? { RankingModel.Parameter(rawValue: rawValue) }

    /// Sets the parameter.
    func set(_ value: Double, in request: inout SearchRequest) {
      switch self {
      case .k1: request.k1 = value
      case .b: request.b = value
      case .mu, .lambda, .c:
        request.model = model.flatMap { request.model?.with($0, value) } ?? request.model
      case .documents: request.feedback?.documentCount = Int(value.rounded())
      case .terms: request.feedback?.termCount = Int(value.rounded())
      case .weight: request.feedback?.originalWeight = value
      }
    }
  }

  /// Returns the first parameter of the sweep that belongs only to other ranking models; nil if there is none.
  func unusedParameter(of model: RankingModel?) -> Parameter? {
    values.map(\.parameter).first { parameter in
      switch parameter {
      case .k1, .b: model.map { $0 != .bm25 } ?? false
      default: parameter.model.map { model?.with($0, 1) == nil } ?? false
      }
    }
  }

  /// The parameters of the sweep.
  var parameters: [Parameter] { values.map(\.parameter) }

  /// One value for each parameter.
  typealias Combination = [(parameter: Parameter, value: Double)]

  private let values: [(parameter: Parameter, values: [Double])]
  /// The maximum number of combinations.
  private static let limit = 10_000
  /// The largest absolute value of a number. Larger numbers would overflow when they are rounded.
  private static let maximumNumber = 1e15

  init(parsing argument: String) throws {
    var values: [(parameter: Parameter, values: [Double])] = []
    for part in argument.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, let parameter = Parameter(rawValue: String(sides[0])),
        !values.contains(where: { $0.parameter == parameter }), let numbers = try SweepArgument.numbers(sides[1])
      else {
        throw ValidationError(
          "\"\(part)\" is not a parameter with values. Write k1, b, mu, lambda, c, documents, terms or weight, "
            + "each once, as in "
            + "k1=0.6..2.0/0.2,b=0.3:0.5.")
      }
      values.append((parameter, numbers))
    }
    let count = values.reduce(1.0) { $0 * Double($1.values.count) }
    if values.isEmpty { throw ValidationError("--sweep takes at least one parameter, as in k1=0.6..2.0/0.2.") }
    if count > Double(SweepArgument.limit) {
      throw ValidationError(
        "The sweep has \(Int(min(count, SweepArgument.maximumNumber))) combinations, and at most \(SweepArgument.limit) are possible. "
          + "Use larger steps or fewer parameters.")
    }
    self.values = values
  }

  /// Whether a parameter applies only to relevance feedback.
  var needsFeedback: Bool { values.contains { [.documents, .terms, .weight].contains($0.parameter) } }

  /// All combinations. The last parameter changes fastest.
  var combinations: [Combination] {
    values.reduce([[]]) { combinations, next in
      combinations.flatMap { combination in next.values.map { combination + [(next.parameter, $0)] } }
    }
  }

  /// Returns the numbers of `FROM..TO/STEP` or `V1:V2:V3`; nil for other text.
  ///
  /// - Throws: `ValidationError` for an empty range.
  private static func numbers(_ text: Substring) throws -> [Double]? {
    guard let dots = text.firstRange(of: "..") else {
      let numbers = text.split(separator: ":").map { Double($0) }
      let areValid = numbers.allSatisfy { number in number.map { abs($0) <= maximumNumber } ?? false }
      return areValid && !numbers.isEmpty ? numbers.compactMap { $0 } : nil
    }
    let rest = text[dots.upperBound...].split(separator: "/")
    guard rest.count == 2, let from = Double(text[..<dots.lowerBound]), let to = Double(rest[0]) else { return nil }
    if to < from { throw ValidationError("the range \(text[..<dots.lowerBound])..\(rest[0]) is empty") }
    guard let step = Double(rest[1]), step.isFinite, max(abs(from), abs(to)) <= maximumNumber else { return nil }
    if step <= 0 { throw ValidationError("The step of \(text) must be greater than 0, not \(rest[1]).") }
    if (to - from) / step >= Double(limit) {
      throw ValidationError("\(text) has more than \(limit) values. Use a larger step.")
    }
    // Multiplied, because sums of steps accumulate rounding errors; rounded to nine decimal places, which is more than
    // anyone writes.
    return (0...Int((to - from) / step + 1e-9)).map { ((from + Double($0) * step) * 1e9).rounded() / 1e9 }
  }
}
