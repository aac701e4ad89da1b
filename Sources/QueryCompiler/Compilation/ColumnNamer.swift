import QueryModel

/// Names the columns that have no alias. The name is the last key of a property, or the name of a metadata field or of
/// a source; all other columns are named `$1`, `$2`, …. If another column has the name, a number follows: `name #2`.
struct ColumnNamer {
  private var taken: Set<String>
  private let sourceColumnNames: [String: String]
  private var unnamedCount = 0
  /// The number to try next for each name, so that thousands of columns with one name do not try all numbers each.
  private var nextNumbers: [String: Int] = [:]

  /// - Parameters:
  ///   - taken: the names of other columns.
  ///   - sourceColumnNames: the names of the columns with the whole documents of sources, by the names of the sources;
  ///     the name of the source if it is missing.
  init(taken: Set<String>, sourceColumnNames: [String: String]) {
    self.taken = taken
    self.sourceColumnNames = sourceColumnNames
  }

  mutating func name(of expression: QueryExpression) -> String {
    let name = implicitName(expression) ?? nextNumber()
    var unique = name
    while !taken.insert(unique).inserted {
      let number = nextNumbers[name] ?? 2
      unique = "\(name) #\(number)"
      nextNumbers[name] = number + 1
    }
    return unique
  }

  private mutating func nextNumber() -> String {
    unnamedCount += 1
    return "$\(unnamedCount)"
  }

  private func implicitName(_ expression: QueryExpression) -> String? {
    switch expression {
    case .everything(let source?): sourceColumnNames[source] ?? source
    case .metadata(let field?, _): field.rawValue
    case .property, .variable, .member: expression.lastKey
    default: nil
    }
  }
}
