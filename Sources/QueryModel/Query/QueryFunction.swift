/// The functions of the query language. The raw value is the name in SQL++, which is case-insensitive.
///
/// The semantics follow Couchbase Lite; functions of Couchbase Server that it lacks are added. See
/// <https://docs.couchbase.com/couchbase-lite/current/swift/query-n1ql-mobile.html#lbl-functions> and
/// <https://docs.couchbase.com/server/current/n1ql/n1ql-language-reference/functions.html>. `MATCH`, `RANK` and `META`
/// take names instead of values and are separate cases of ``QueryExpression``.
public enum QueryFunction: String, Hashable, Sendable, CaseIterable {
  // MARK: Aggregates
  case average = "AVG"
  case count = "COUNT"
  case maximum = "MAX"
  case minimum = "MIN"
  case sum = "SUM"
  case arrayAggregate = "ARRAY_AGG"

  // MARK: Arrays
  case arrayAppend = "ARRAY_APPEND"
  case arrayAverage = "ARRAY_AVG"
  case arrayConcatenate = "ARRAY_CONCAT"
  case arrayContains = "ARRAY_CONTAINS"
  case arrayCount = "ARRAY_COUNT"
  case arrayDistinct = "ARRAY_DISTINCT"
  case arrayFlatten = "ARRAY_FLATTEN"
  case arrayFirstValued = "ARRAY_IFNULL"
  case arrayInsert = "ARRAY_INSERT"
  case arrayIntersect = "ARRAY_INTERSECT"
  case arrayLength = "ARRAY_LENGTH"
  case arrayMaximum = "ARRAY_MAX"
  case arrayMinimum = "ARRAY_MIN"
  case arrayOf = "ARRAY_OF"
  case arrayPosition = "ARRAY_POSITION"
  case arrayPrepend = "ARRAY_PREPEND"
  case arrayPut = "ARRAY_PUT"
  case arrayRange = "ARRAY_RANGE"
  case arrayRemove = "ARRAY_REMOVE"
  case arrayRepeat = "ARRAY_REPEAT"
  case arrayReplace = "ARRAY_REPLACE"
  case arrayReverse = "ARRAY_REVERSE"
  case arraySort = "ARRAY_SORT"
  case arraySum = "ARRAY_SUM"
  case arrayUnion = "ARRAY_UNION"

  // MARK: Conditions
  case ifMissing = "IFMISSING"
  case ifNull = "IFNULL"
  case ifMissingOrNull = "IFMISSINGORNULL"
  case missingIf = "MISSINGIF"
  case nullIf = "NULLIF"
  case greatest = "GREATEST"
  case least = "LEAST"

  // MARK: Dates
  case dateAddMillis = "DATE_ADD_MILLIS"
  case dateAddString = "DATE_ADD_STR"
  case dateDifferenceMillis = "DATE_DIFF_MILLIS"
  case dateDifferenceString = "DATE_DIFF_STR"
  case millisToString = "MILLIS_TO_STR"
  case millisToTimeZone = "MILLIS_TO_TZ"
  case millisToUTC = "MILLIS_TO_UTC"
  case stringToMillis = "STR_TO_MILLIS"
  case stringToTimeZone = "STR_TO_TZ"
  case stringToUTC = "STR_TO_UTC"

  // MARK: Mathematics
  case abs = "ABS"
  case acos = "ACOS"
  case asin = "ASIN"
  case atan = "ATAN"
  case atan2 = "ATAN2"
  case ceil = "CEIL"
  case cos = "COS"
  case degrees = "DEGREES"
  case divide = "DIV"
  case e = "E"
  case exp = "EXP"
  case floor = "FLOOR"
  case integerDivide = "IDIV"
  case naturalLogarithm = "LN"
  case decimalLogarithm = "LOG"
  case pi = "PI"
  case power = "POWER"
  case radians = "RADIANS"
  case round = "ROUND"
  case roundEven = "ROUND_EVEN"
  case sign = "SIGN"
  case sin = "SIN"
  case squareRoot = "SQRT"
  case tan = "TAN"
  case truncate = "TRUNC"

  // MARK: Patterns
  case regexContains = "REGEXP_CONTAINS"
  case regexCount = "REGEXP_COUNT"
  case regexLike = "REGEXP_LIKE"
  case regexMatches = "REGEXP_MATCHES"
  case regexPosition = "REGEXP_POSITION"
  case regexReplace = "REGEXP_REPLACE"
  case regexSplit = "REGEXP_SPLIT"
  case regexSubstring = "REGEXP_SUBSTR"

  // MARK: Strings
  case concatenate = "CONCAT"
  case contains = "CONTAINS"
  case capitalize = "INITCAP"
  case length = "LENGTH"
  case lower = "LOWER"
  case trimLeft = "LTRIM"
  case position = "POSITION"
  case repeatString = "REPEAT"
  case replace = "REPLACE"
  case reverse = "REVERSE"
  case trimRight = "RTRIM"
  case split = "SPLIT"
  case substring = "SUBSTR"
  case trim = "TRIM"
  case upper = "UPPER"

  // MARK: Types
  case isArray = "IS_ARRAY"
  case isAtom = "IS_ATOM"
  case isBoolean = "IS_BOOLEAN"
  case isNumber = "IS_NUMBER"
  case isObject = "IS_OBJECT"
  case isString = "IS_STRING"
  case type = "TYPE"
  case toArray = "TO_ARRAY"
  case toAtom = "TO_ATOM"
  case toBoolean = "TO_BOOLEAN"
  case toNumber = "TO_NUMBER"
  case toObject = "TO_OBJECT"
  case toString = "TO_STRING"

  // MARK: Vectors and models
  case approximateVectorDistance = "APPROX_VECTOR_DISTANCE"
  case cosineDistance = "COSINE_DISTANCE"
  case euclideanDistance = "EUCLIDEAN_DISTANCE"
  case prediction = "PREDICTION"
}

extension QueryFunction {
  /// Whether the function aggregates the values of many rows. Only such a function accepts DISTINCT.
  public var isAggregate: Bool {
    switch self {
    case .average, .count, .maximum, .minimum, .sum, .arrayAggregate: true
    default: false
    }
  }

  /// The number of arguments that the function accepts; `maximum` is nil if there is no upper bound.
  public var argumentCount: (minimum: Int, maximum: Int?) {
    switch self {
    case .e, .pi: (0, 0)
    case .arrayOf: (0, nil)
    case .millisToString, .millisToUTC, .stringToMillis, .stringToUTC, .round, .roundEven, .truncate, .trimLeft,
      .trimRight, .split, .trim:
      (1, 2)
    case .concatenate: (1, nil)
    case .arrayContains, .arrayFlatten, .arrayPosition, .arrayRepeat, .missingIf, .nullIf,
      .atan2, .divide, .integerDivide, .power, .contains, .position, .repeatString,
      .cosineDistance:
      (2, 2)
    case .arrayRange, .millisToTimeZone, .stringToTimeZone, .substring, .euclideanDistance, .prediction,
      .regexContains, .regexCount, .regexLike, .regexMatches, .regexPosition, .regexSplit:
      (2, 3)
    case .regexSubstring: (2, 4)
    case .approximateVectorDistance: (2, 5)
    case .arrayAppend, .arrayConcatenate, .arrayIntersect, .arrayUnion, .arrayPrepend, .arrayPut, .arrayRemove,
      .ifMissing, .ifNull, .ifMissingOrNull, .greatest, .least:
      (2, nil)
    case .dateAddMillis, .dateDifferenceMillis, .dateDifferenceString: (3, 3)
    case .arrayReplace, .dateAddString, .replace: (3, 4)
    case .regexReplace: (3, 5)
    case .arrayInsert: (3, nil)
    default: (1, 1)
    }
  }

  /// Other names of the function. The parsers accept all of them; the printer writes the raw value.
  public var aliases: [String] {
    switch self {
    case .ifMissing: ["IF_MISSING"]
    case .ifNull: ["IF_NULL"]
    case .ifMissingOrNull: ["IF_MISSING_OR_NULL", "COALESCE", "NVL"]
    case .missingIf: ["MISSING_IF"]
    case .nullIf: ["NULL_IF"]
    case .millisToString: ["MILLIS_TO_LOCAL"]
    case .stringToMillis: ["MILLIS"]
    case .ceil: ["CEILING"]
    case .power: ["POW"]
    case .regexContains: ["REGEX_CONTAINS", "CONTAINS_REGEX", "CONTAINS_REGEXP"]
    case .regexCount: ["REGEX_COUNT"]
    case .regexMatches: ["REGEX_MATCHES"]
    case .regexSplit: ["REGEX_SPLIT"]
    case .regexSubstring: ["REGEX_SUBSTR"]
    case .regexLike: ["REGEX_LIKE"]
    case .regexPosition: ["REGEX_POSITION"]
    case .regexReplace: ["REGEX_REPLACE"]
    case .capitalize: ["TITLE"]
    case .substring: ["SUBSTRING"]
    case .isArray: ["ISARRAY"]
    case .isAtom: ["ISATOM"]
    case .isBoolean: ["ISBOOLEAN", "IS_BOOL", "ISBOOL"]
    case .isNumber: ["ISNUMBER", "IS_NUM", "ISNUM"]
    case .isObject: ["ISOBJECT", "IS_OBJ", "ISOBJ"]
    case .isString: ["ISSTRING", "IS_STR", "ISSTR"]
    case .type: ["TYPENAME", "TYPE_NAME"]
    case .toArray: ["TOARRAY"]
    case .toAtom: ["TOATOM"]
    case .toBoolean: ["TOBOOLEAN", "TO_BOOL", "TOBOOL"]
    case .toNumber: ["TONUMBER", "TO_NUM", "TONUM"]
    case .toObject: ["TOOBJECT", "TO_OBJ", "TOOBJ"]
    case .toString: ["TOSTRING", "TO_STR", "TOSTR"]
    default: []
    }
  }

  /// Creates the function with this name or alias, ignoring case; nil if there is none.
  public init?(named name: String) {
    guard let function = QueryFunction.byName[name.uppercased()] else { return nil }
    self = function
  }

  private static let byName: [String: QueryFunction] = {
    var functions: [String: QueryFunction] = [:]
    for function in allCases {
      for name in [function.rawValue] + function.aliases { functions[name] = function }
    }
    return functions
  }()

  /// Returns the function name most similar to a misspelled one, or nil if none is similar enough.
  ///
  /// - Complexity: O(n · m) for each of about 150 names; used for error messages only.
  static func closestName(to name: String) -> String? {
    SpellingDistance.closest(to: name.uppercased(), among: byName.keys.sorted() + ["MATCH", "META", "RANK"])
  }

  /// Returns whether the function accepts this number of arguments.
  func takes(_ count: Int) -> Bool {
    let bounds = argumentCount
    return count >= bounds.minimum && count <= bounds.maximum ?? .max
  }
}
