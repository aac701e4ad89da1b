/// Holm's correction for multiple tests: "A Simple Sequentially Rejective Multiple Test Procedure" (1979).
public enum HolmCorrection {
  /// Returns the corrected p values, in the order of `pValues`. The smallest of n p values is multiplied by n, the next
  /// by n − 1 and so on; no result is above 1 or lower than the result for a smaller p value. NaN, the p value of an
  /// undefined test, is not counted and remains NaN.
  ///
  /// ```swift
  /// HolmCorrection.corrected([0.01, 0.04, 0.03])  // [0.03, 0.06, 0.06]
  /// ```
  ///
  /// - Parameter pValues: the p values of the tests, in any order.
  public static func corrected(_ pValues: [Double]) -> [Double] {
    var corrected = pValues
    var highest = 0.0
    let defined = pValues.indices.filter { !pValues[$0].isNaN }
    for (rank, index) in defined.sorted(by: { (pValues[$0], $0) < (pValues[$1], $1) }).enumerated() {
      highest = max(highest, min(1, pValues[index] * Double(defined.count - rank)))
      corrected[index] = highest
    }
    return corrected
  }
}
