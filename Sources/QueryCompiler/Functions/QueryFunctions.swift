public import QueryModel

/// The implementations of the functions that queries may call.
public enum QueryFunctions {
  /// The prefix of the names of these functions in SQL.
  static let sqlPrefix = "concordance_"

  /// The maximum number of arguments of a variadic function, which is SQLite's limit.
  static let maximumArity = 127

  /// All scalar functions.
  public static let all: [ScalarFunction] =
    typeFunctions + conditionalFunctions + mathFunctions + stringFunctions + patternFunctions + arrayFunctions
    + arrayEditingFunctions + dateFunctions + vectorFunctions + operatorFunctions

  private static let byFunction: [QueryFunction: ScalarFunction] = Dictionary(
    all.compactMap { implementation in implementation.function.map { ($0, implementation) } },
    uniquingKeysWith: { first, _ in first })

  /// Returns the implementation of a function; nil for aggregates (``QueryAggregates``) and for functions that are not
  /// available.
  public static func implementation(of function: QueryFunction) -> ScalarFunction? { byFunction[function] }
}

extension QueryFunction {
  /// Whether the result depends on the time zone of the machine, because text without a zone is local time.
  var dependsOnTimeZone: Bool {
    switch self {
    case .millisToString, .stringToMillis, .stringToUTC, .stringToTimeZone, .dateDifferenceString, .dateAddString: true
    default: false
    }
  }
}
