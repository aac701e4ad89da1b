/// Combines literal strings into one regular expression that factors out common prefixes.
///
/// ```swift
/// LiteralAlternation.pattern(of: ["foo", "bar", "fob"], ignoringCase: false)   // fo(?:o|b)|bar
/// ```
///
/// It has the same matches as `foo|bar|fob`, with the same precedence: if several texts match at an offset, the one
/// listed first is tried first. Of the texts that match at one offset, a shorter one is always a prefix of a longer
/// one.
public enum LiteralAlternation {
  /// Returns the expression, without parentheses around it.
  ///
  /// - Parameters:
  ///   - texts: the texts, in order of preference.
  ///   - ignoringCase: whether the expression will be matched with case ignored.
  /// - Complexity: O(n) in the total length of the texts, times the number of their common prefixes.
  public static func pattern(of texts: some Sequence<String>, ignoringCase: Bool) -> String {
    var result = String.UnicodeScalarView()
    append(texts.map { Array($0.unicodeScalars)[...] }, Folding(isOn: ignoringCase), 0, to: &result)
    return String(result)
  }

  /// The maximum nesting depth; PCRE2 allows 250 levels.
  private static let maximumDepth = 60

  private typealias Tail = ArraySlice<Unicode.Scalar>

  private static func append(
    _ tails: [Tail], _ folding: Folding, _ depth: Int, to result: inout String.UnicodeScalarView
  ) {
    var branches: [Branch] = []
    var indexes: [Unicode.Scalar: Int] = [:]
    for tail in tails {
      guard let first = tail.first, depth < maximumDepth else {
        // A text that ends here separates the branches: later texts must be tried after it.
        branches.append(Branch(tails: [tail]))
        indexes = [:]
        continue
      }
      let key = folding.key(of: first)
      if let index = indexes[key] {
        branches[index].tails.append(tail)
      } else {
        indexes[key] = branches.count
        branches.append(Branch(tails: [tail]))
      }
    }
    for (number, branch) in branches.enumerated() {
      if number > 0 { result.append("|") }
      append(branch, folding, depth, to: &result)
    }
  }

  private static func append(
    _ branch: Branch, _ folding: Folding, _ depth: Int, to result: inout String.UnicodeScalarView
  ) {
    let shared = branch.sharedLength(folding)
    for scalar in branch.tails[0].prefix(shared) { result.append(quoted: scalar) }
    guard branch.tails.count > 1 else { return }
    let tails = branch.tails.map { $0.dropFirst(shared) }
    // A duplicate text.
    if tails.allSatisfy(\.isEmpty) { return }
    result += "(?:".unicodeScalars
    append(tails, folding, depth + 1, to: &result)
    result.append(")")
  }

  /// Texts with a common prefix.
  private struct Branch {
    var tails: [Tail]

    /// Returns the length of the common prefix in characters.
    func sharedLength(_ folding: Folding) -> Int {
      var shared = tails[0].count
      for tail in tails.dropFirst() {
        shared = zip(tails[0].prefix(shared), tail).prefix { folding.key(of: $0) == folding.key(of: $1) }.count
      }
      return shared
    }
  }

  /// Compares characters, ignoring case if it is on.
  private struct Folding {
    let isOn: Bool

    func key(of scalar: Unicode.Scalar) -> Unicode.Scalar {
      guard isOn else { return scalar }
      return CaseVariants.of(scalar)?.min() ?? scalar
    }
  }
}
