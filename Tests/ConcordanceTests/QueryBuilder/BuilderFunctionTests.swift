@testable import Concordance
import QueryModel
import Testing

/// Each function of the builder creates the SQL++ function with the same name.
@Suite struct BuilderFunctionTests {
  static let functions: [(any ExpressionProtocol, String)] = {
    let (x, y) = (Expression.property("x"), Expression.property("y"))
    return [
      (Function.avg(x), "AVG(x)"), (Function.count(x), "COUNT(x)"), (Function.count(), "COUNT(*)"),
      (Function.count(nil), "COUNT(*)"), (Function.count(Expression.all()), "COUNT(*)"),
      (Function.min(x), "MIN(x)"), (Function.max(x), "MAX(x)"), (Function.sum(x), "SUM(x)"),
      (Function.abs(x), "ABS(x)"), (Function.acos(x), "ACOS(x)"), (Function.asin(x), "ASIN(x)"),
      (Function.atan(x), "ATAN(x)"), (Function.atan2(y: y, x: x), "ATAN2(y, x)"), (Function.ceil(x), "CEIL(x)"),
      (Function.cos(x), "COS(x)"), (Function.degrees(x), "DEGREES(x)"), (Function.e(), "E()"),
      (Function.exp(x), "EXP(x)"), (Function.floor(x), "FLOOR(x)"), (Function.ln(x), "LN(x)"),
      (Function.log(x), "LOG(x)"), (Function.pi(), "PI()"), (Function.power(base: x, exponent: y), "POWER(x, y)"),
      (Function.radians(x), "RADIANS(x)"), (Function.round(x), "ROUND(x)"),
      (Function.round(x, digits: y), "ROUND(x, y)"), (Function.sign(x), "SIGN(x)"), (Function.sin(x), "SIN(x)"),
      (Function.sqrt(x), "SQRT(x)"), (Function.tan(x), "TAN(x)"), (Function.trunc(x), "TRUNC(x)"),
      (Function.trunc(x, digits: y), "TRUNC(x, y)"), (Function.contains(x, substring: y), "CONTAINS(x, y)"),
      (Function.length(x), "LENGTH(x)"), (Function.lower(x), "LOWER(x)"), (Function.ltrim(x), "LTRIM(x)"),
      (Function.rtrim(x), "RTRIM(x)"), (Function.trim(x), "TRIM(x)"), (Function.upper(x), "UPPER(x)"),
      (Function.stringToMillis(x), "STR_TO_MILLIS(x)"), (Function.stringToUTC(x), "STR_TO_UTC(x)"),
      (Function.millisToString(x), "MILLIS_TO_STR(x)"), (Function.millisToUTC(x), "MILLIS_TO_UTC(x)"),
      (ArrayFunction.contains(x, value: y), "ARRAY_CONTAINS(x, y)"), (ArrayFunction.length(x), "ARRAY_LENGTH(x)"),
    ]
  }()

  @Test(arguments: functions.indices)
  func createsTheFunction(index: Int) throws {
    let (expression, sql) = Self.functions[index]
    try expect(expression, is: sql)
  }

  @Test func distances() throws {
    let (x, y) = (Expression.property("x"), Expression.property("y"))
    try expect(Function.euclideanDistance(between: x, and: y), is: "EUCLIDEAN_DISTANCE(x, y)")
    try expect(Function.squaredEuclideanDistance(between: x, and: y), is: "EUCLIDEAN_DISTANCE(x, y, 2)")
    try expect(Function.cosineDistance(between: x, and: y), is: "COSINE_DISTANCE(x, y)")
  }

  @Test func predictions() throws {
    let input = Expression.dictionary(["photo": Expression.property("photo")])
    let prediction = Function.prediction(model: "ImageClassifier", input: input)
    try expect(prediction, is: "PREDICTION('ImageClassifier', {'photo': photo})")
    try expect(prediction.property("label"), is: "PREDICTION('ImageClassifier', {'photo': photo}, 'label')")
  }

  @Test(arguments: QueryFunction.allCases)
  func everyFunctionCanBeCalledByItsName(function: QueryFunction) throws {
    let (minimum, maximum) = function.argumentCount
    let one = Expression.int(1)
    let call =
      switch minimum {
      case 0: Function.call(function.rawValue)
      case 1: Function.call(function.rawValue.lowercased(), one)
      case 2: Function.call(function.rawValue, one, one)
      default: Function.call(function.rawValue, one, one, one)
      }
    let arguments = Array(repeating: "1", count: minimum).joined(separator: ", ")
    try expect(call, is: "\(function.rawValue)(\(arguments))")
    if maximum != nil { expectFault(Function.call(function.rawValue, one, one, one, one, one, one), "6 given") }
  }

  @Test func invalidCalls() {
    expectFault(Function.call("SUBSTRR", int(1)), "no function SUBSTRR")
    expectFault(Function.call("SUBSTR", int(1)), "SUBSTR takes 2 to 3 arguments, 1 given")
    expectFault(Function.call("PI", int(1)), "PI takes 0 arguments, 1 given")
    expectFault(Function.call("GREATEST"), "GREATEST takes 2 or more arguments, 0 given")
    expectFault(Function.call("META"), "no function META")
  }
}
