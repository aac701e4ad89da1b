/// The parameters on which the frequencies in score bounds depend; see ``Ranking`` for the formula.
///
/// A bound that was computed with one set of parameters is valid for another set if it is multiplied by a factor. Thus
/// stored bounds remain useful when documents change the mean lengths, or when a search uses another ranking.
package struct LengthNormalization: Hashable {
  package let b: Double
  /// The weight of each field.
  package let weights: [Double]
  /// The mean length of each field.
  package let averages: [Double]

  package init(b: Double, weights: [Double], averages: [Double]) {
    self.b = b
    self.weights = weights
    self.averages = averages
  }

  /// Returns the factor that makes frequencies with these parameters at least as high as those with other parameters;
  /// nil if it is unknown.
  func factor(to other: LengthNormalization) -> Double? {
    guard weights.count == other.weights.count, averages.count == weights.count, other.averages.count == weights.count
    else {
      return nil
    }
    var factor = 1.0
    for column in weights.indices {
      let weight = other.weights[column] / weights[column]
      // The length factor is 1 - b + b * length / average for both sets. Their quotient is monotone in the length, so
      // its maximum is at length 1 or at infinity.
      let (slope, otherSlope) = (b / averages[column], other.b / other.averages[column])
      let shortest = (1 - b + slope) / (1 - other.b + otherSlope)
      let longest = slope == otherSlope ? 1 : slope / otherSlope
      factor = column == 0 ? weight * max(shortest, longest) : max(factor, weight * max(shortest, longest))
    }
    return factor.isFinite && factor > 0 ? factor : nil
  }
}
