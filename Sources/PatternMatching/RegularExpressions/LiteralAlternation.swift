/// Texts to be found as they stand, as one regular expression in which common beginnings stand once.
///
/// ```swift
/// LiteralAlternation.pattern(of: ["foo", "bar", "fob"], ignoringCase: false)   // fo(?:o|b)|bar
/// ```
///
/// It matches what `foo|bar|fob` does, in the same order: where several texts match at a place, each is the beginning of the
/// next longer one, and of these the one that was named first is tried first.
public enum LiteralAlternation {
  /// The expression. It stands for itself, without parentheses around it.
  ///
  /// - Parameters:
  ///   - texts: the texts, in the order of preference.
  ///   - ignoringCase: whether it will be matched with letters in either case.
  /// - Complexity: O(n) in the length of all texts, times the number of their common beginnings.
  public static func pattern(of texts: some Sequence<String>, ignoringCase: Bool) -> String {
    var result = String.UnicodeScalarView()
    append(texts.map { Array($0.unicodeScalars)[...] }, Folding(isOn: ignoringCase), 0, to: &result)
    return String(result)
  }

  /// Texts nest no deeper; PCRE2 takes 250 levels.
  private static let maximumDepth = 60

  private typealias Tail = ArraySlice<Unicode.Scalar>

  private static func append(
    _ tails: [Tail], _ folding: Folding, _ depth: Int, to result: inout String.UnicodeScalarView
  ) {
    var branches: [Branch] = []
    var places: [Unicode.Scalar: Int] = [:]
    for tail in tails {
      guard let first = tail.first, depth < maximumDepth else {
        // What comes behind a text that ends here is tried behind it, too.
        branches.append(Branch(tails: [tail]))
        places = [:]
        continue
      }
      let key = folding.key(of: first)
      if let place = places[key] {
        branches[place].tails.append(tail)
      } else {
        places[key] = branches.count
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
    for scalar in branch.tails[0].prefix(shared) { append(quoted: scalar, to: &result) }
    guard branch.tails.count > 1 else { return }
    let tails = branch.tails.map { $0.dropFirst(shared) }
    // The same text twice.
    if tails.allSatisfy(\.isEmpty) { return }
    result += "(?:".unicodeScalars
    append(tails, folding, depth + 1, to: &result)
    result.append(")")
  }

  private static func append(quoted scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
    // A backslash in front of punctuation takes its meaning; letters and what is not ASCII have none.
    if scalar.isASCII, !scalar.isASCIILetter, !scalar.isDigit, scalar != "_" { result.append("\\") }
    result.append(scalar)
  }

  /// Texts that begin alike.
  private struct Branch {
    var tails: [Tail]

    /// How many characters all begin with.
    func sharedLength(_ folding: Folding) -> Int {
      var shared = tails[0].count
      for tail in tails.dropFirst() {
        shared = zip(tails[0].prefix(shared), tail).prefix { folding.key(of: $0) == folding.key(of: $1) }.count
      }
      return shared
    }
  }

  /// Which characters count as the same.
  private struct Folding {
    let isOn: Bool

    func key(of scalar: Unicode.Scalar) -> Unicode.Scalar {
      guard isOn else { return scalar }
      return CaseVariants.of(scalar)?.min() ?? scalar
    }
  }
}
