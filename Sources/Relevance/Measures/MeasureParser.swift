/// Parses names of measures: `NAME(key=value, …)@cutoff`.
enum MeasureParser {
  /// Alternative names of measures that ir_measures accepts.
  private static let aliases = [
    "MAP": "AP", "NDCG": "nDCG", "Precision": "P", "Recall": "R", "MRR": "RR", "RPrec": "Rprec", "BPref": "Bpref",
  ]

  static func measure(_ name: String) throws -> Measure {
    let text = name.filter { !$0.isWhitespace }
    let (base, rest) = split(text, at: text.firstIndex { $0 == "(" || $0 == "@" })
    guard let family = Measure.Family(rawValue: aliases[base] ?? base) else {
      throw MeasureError(
        description: "there is no measure \"\(base)\"; the measures are \(Measure.names.joined(separator: ", "))")
    }
    var arguments = ""
    var cutoff = rest
    if rest.hasPrefix("(") {
      guard let close = rest.lastIndex(of: ")") else { throw malformed(name) }
      arguments = String(rest[rest.index(after: rest.startIndex)..<close])
      cutoff = String(rest[rest.index(after: close)...])
    }
    var measure = Measure(family, description: text)
    // The default value of p in ir_measures.
    if family == .compatibility { measure.persistence = 0.95 }
    for argument in topLevelParts(arguments) { try set(argument, in: &measure, name) }
    if !cutoff.isEmpty {
      guard cutoff.hasPrefix("@") else { throw malformed(name) }
      try setCutoff(String(cutoff.dropFirst()), in: &measure, name)
    }
    if [.precision, .recall, .success, .expectedReciprocalRank].contains(family) || measure.gain == .exponential,
      measure.cutoff == nil
    {
      throw MeasureError(description: "the measure \"\(name)\" needs a cutoff, as in \"\(text)@10\"")
    }
    if measure.gain == .exponential, let gain = measure.gains.values.max(), gain > Measure.highestExponent {
      throw MeasureError(
        description: "the gains of \"\(name)\" are exponents of 2, so they are at most \(Measure.highestExponent), "
          + "not \(gain)")
    }
    if family == .interpolatedPrecision, measure.recall == nil {
      throw MeasureError(description: "the measure \"\(name)\" needs a recall from 0 to 1, as in \"\(text)@0.1\"")
    }
    return measure
  }

  private static func malformed(_ name: String) -> MeasureError {
    MeasureError(
      description: "\"\(name)\" is not the name of a measure; write NAME, NAME@cutoff or NAME(key=value)@cutoff")
  }

  private static func split(_ text: String, at index: String.Index?) -> (String, String) {
    guard let index else { return (text, "") }
    return (String(text[..<index]), String(text[index...]))
  }

  /// Splits at commas that are not in braces.
  private static func topLevelParts(_ text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for character in text {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    return (parts + [part]).filter { !$0.isEmpty }
  }

  private static func setCutoff(_ text: String, in measure: inout Measure, _ name: String) throws {
    switch measure.family {
    case .interpolatedPrecision:
      guard let recall = Double(text), (0...1).contains(recall) else {
        throw MeasureError(description: "the recall of \"\(name)\" is a number from 0 to 1, not \"\(text)\"")
      }
      measure.recall = recall
    case .averagePrecision, .nDCG, .precision, .recall, .reciprocalRank, .success, .judged, .expectedReciprocalRank,
      .rankBiasedPrecision, .accuracy:
      guard let cutoff = Int(text), cutoff > 0 else {
        throw MeasureError(description: "the cutoff of \"\(name)\" is a whole number from 1, not \"\(text)\"")
      }
      measure.cutoff = cutoff
    default: throw MeasureError(description: "the measure \"\(measure.family.rawValue)\" has no cutoff: \"\(name)\"")
    }
  }

  private static func set(_ argument: String, in measure: inout Measure, _ name: String) throws {
    let (key, rest) = split(argument, at: argument.firstIndex(of: "="))
    let value = String(rest.dropFirst())
    func bad(_ expected: String) -> MeasureError {
      MeasureError(description: "\(key) of the measure \"\(name)\" is \(expected), not \"\(value)\"")
    }
    switch (key, measure.family) {
    case ("cutoff", _) where measure.family != .interpolatedPrecision, ("recall", .interpolatedPrecision):
      try setCutoff(value, in: &measure, name)
    case ("rel", let family)
    where ![.nDCG, .expectedReciprocalRank, .judged, .compatibility, .queryCount].contains(family):
      guard let grade = Int(value) else { throw bad("a whole number") }
      measure.relevantGrade = grade
    case ("judged_only", let family)
    where [
      .averagePrecision, .nDCG, .precision, .recall, .reciprocalRank, .rPrecision, .success, .interpolatedPrecision,
      .setPrecision, .setRelativePrecision, .setF, .setAveragePrecision,
    ]
    .contains(family):
      measure.judgedOnly = try boolean(value).orThrow(bad("True or False"))
    case ("p", .rankBiasedPrecision), ("p", .compatibility):
      guard let persistence = Double(value), persistence > 0, persistence < 1 else { throw bad("between 0 and 1") }
      measure.persistence = persistence
    case ("normalize", .compatibility): measure.normalizes = try boolean(value).orThrow(bad("True or False"))
    case ("relative", .setPrecision):
      let isRelative = try boolean(value).orThrow(bad("True or False"))
      if isRelative { measure = measure.with(family: .setRelativePrecision) }
    case ("beta", .setF):
      guard let beta = Double(value), beta > 0, beta.isFinite else { throw bad("a number above 0") }
      measure.beta = beta
    case ("dcg", .nDCG):
      measure.gain = try Measure.Gain(rawValue: value.filter { $0 != "'" && $0 != "\"" })
        .orThrow(bad("'log2' or 'exp-log2'"))
    case ("gains", .nDCG): measure.gains = try gains(value).orThrow(bad("like {0:0,1:1,2:5}"))
    default: throw MeasureError(description: "the measure \"\(name)\" has no parameter \"\(key)\"")
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text {
    case "True", "true", "1": true
    case "False", "false", "0": false
    default: nil
    }
  }

  private static func gains(_ text: String) -> [Int: Int]? {
    guard text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
    var gains: [Int: Int] = [:]
    for pair in text.dropFirst().dropLast().split(separator: ",") {
      let numbers = pair.split(separator: ":").map { Int($0) }
      guard numbers.count == 2, let grade = numbers[0], let gain = numbers[1] else { return nil }
      gains[grade] = gain
    }
    return gains
  }
}

extension Measure {
  /// Returns a measure of another family with the same cutoff, relevant grade and ``judgedOnly``.
  func with(family: Family) -> Measure {
    var other = Measure(family, description: description)
    (other.cutoff, other.relevantGrade, other.judgedOnly) = (cutoff, relevantGrade, judgedOnly)
    return other
  }
}

extension Optional {
  fileprivate func orThrow(_ error: @autoclosure () -> MeasureError) throws -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}
