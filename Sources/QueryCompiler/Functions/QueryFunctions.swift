public import QueryModel

/// What the functions that a query may call do.
public enum QueryFunctions {
  /// What the names of our functions begin with in SQL.
  static let sqlPrefix = "concordance_"

  /// How many arguments a variadic function takes at most: SQLite's own limit.
  static let maximumArity = 127

  /// Every scalar function, in groups.
  public static let all: [ScalarFunction] =
    typeFunctions + conditionalFunctions + mathFunctions + stringFunctions + patternFunctions + arrayFunctions
    + arrayEditingFunctions + dateFunctions + vectorFunctions + operatorFunctions

  private static let byFunction: [QueryFunction: ScalarFunction] = Dictionary(
    all.compactMap { implementation in implementation.function.map { ($0, implementation) } },
    uniquingKeysWith: { first, _ in first })

  /// What a function does; nil for aggregates (``QueryAggregates``) and for those that are not available.
  public static func implementation(of function: QueryFunction) -> ScalarFunction? { byFunction[function] }
}

extension QueryFunction {
  /// Whether the result depends on where the machine stands: text without a zone is local time.
  var dependsOnTimeZone: Bool {
    switch self {
    case .millisToString, .stringToMillis, .stringToUTC, .stringToTimeZone, .dateDifferenceString, .dateAddString: true
    default: false
    }
  }
}
