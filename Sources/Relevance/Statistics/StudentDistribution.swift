import Foundation

/// Student's t distribution.
struct StudentDistribution {
  /// The degrees of freedom, above 0.
  let freedom: Double

  /// Returns the probability of a value at least as far from 0 as `t`.
  func twoSidedProbability(_ t: Double) -> Double {
    if t.isNaN { return 1 }
    if t.isInfinite { return 0 }
    return StudentDistribution.incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
  }

  /// Returns the positive value that the absolute value of t exceeds with this probability, by bisection.
  func quantile(twoSided probability: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while twoSidedProbability(high) > probability, high < 1e12 { high *= 2 }
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if twoSidedProbability(middle) > probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// Returns the regularized incomplete beta function, computed from its continued fraction with Lentz's method: Press
  /// et al., "Numerical Recipes", 6.4.
  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    // The continued fraction converges quickly only below the mean.
    if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(1 - x, b, a) }
    let factor = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log1p(-x)) / a
    let tiny = 1e-300
    func bounded(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / bounded(1 - (a + b) * x / (a + 1))
    var fraction = d
    for step in 1...500 {
      let m = Double(step)
      for numerator in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 / bounded(1 + numerator * d)
        c = bounded(1 + numerator / c)
        fraction *= c * d
      }
      if abs(c * d - 1) < 1e-16 { break }
    }
    return factor * fraction
  }

  /// Returns the logarithm of Γ(x) for x ≥ 0.5, by Stirling's series with a shift. (`lgamma` writes a global variable.)
  private static func logGamma(_ x: Double) -> Double {
    var (x, shift) = (x, 0.0)
    while x < 15 {
      shift += log(x)
      x += 1
    }
    let inverse = 1 / (x * x)
    let series = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse / 1680))) / x
    return (x - 0.5) * log(x) - x + 0.5 * log(2 * Double.pi) + series - shift
  }
}
