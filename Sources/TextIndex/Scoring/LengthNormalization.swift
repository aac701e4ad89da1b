/// The parameters, besides the documents, on which the frequencies in bounds depend: see ``Ranking`` for the formula.
///
/// A bound that was computed with one basis is one with any other, times a factor: that the mean lengths move a little
/// with every document, or that a search ranks in another way, does not make bounds useless.
struct LengthNormalization: Hashable {
  let b: Double
  /// A weight and a mean length for each field.
  let weights: [Double]
  let averages: [Double]

  /// What frequencies with this basis are multiplied by to be at least those with another one; nil where nothing is
  /// known.
  func factor(to other: LengthNormalization) -> Double? {
    guard weights.count == other.weights.count, averages.count == weights.count, other.averages.count == weights.count
    else {
      return nil
    }
    var factor = 1.0
    for column in weights.indices {
      let weight = other.weights[column] / weights[column]
      // Length counts by 1 - b + b * length / average here, and there. The quotient of the two is monotone in the
      // length, so it is highest for the shortest text, a term, or for one without end.
      let (slope, otherSlope) = (b / averages[column], other.b / other.averages[column])
      let shortest = (1 - b + slope) / (1 - other.b + otherSlope)
      let longest = slope == otherSlope ? 1 : slope / otherSlope
      factor = column == 0 ? weight * max(shortest, longest) : max(factor, weight * max(shortest, longest))
    }
    return factor.isFinite && factor > 0 ? factor : nil
  }
}
