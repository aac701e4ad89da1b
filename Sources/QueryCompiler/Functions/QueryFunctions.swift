/// All functions that a query may call, by name.
public enum QueryFunctions {
  /// What the names of our functions begin with in SQL.
  static let sqlPrefix = "concordance_"

  /// How many arguments a variadic function takes at most: SQLite's own limit.
  static let maximumArity = 127

  /// Every scalar function, in groups.
  public static let all: [ScalarFunction] =
    typeFunctions + conditionalFunctions + mathFunctions + stringFunctions + patternFunctions + arrayFunctions
    + arrayEditingFunctions + dateFunctions + operatorFunctions

  private static let byName: [String: ScalarFunction] = {
    var table: [String: ScalarFunction] = [:]
    for function in all {
      for name in [function.name] + function.aliases { table[name] = function }
    }
    return table
  }()

  /// The function with this name or alias, in any letter case, or nil. Aggregates are not among them, see
  /// ``QueryAggregates``.
  public static func named(_ name: String) -> ScalarFunction? { byName[name.uppercased()] }
}
