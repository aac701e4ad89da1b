import QueryModel

/// Functions of the query language. An aggregate takes the values of all rows of a group (see
/// ``GroupByRouter/groupBy(_:)-(ExpressionProtocol...)``); the other functions take the values of one row.
///
/// ```swift
/// SelectResult.expression(Function.avg(Function.round(Expression.property("rating")))).as("rating")
/// // AVG(ROUND(rating)) AS rating
/// ```
public enum Function {
  // MARK: Aggregates

  /// `AVG(x)`: the mean of the numbers of a group.
  ///
  /// - Parameter expression: the values; values other than numbers are ignored.
  public static func avg(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.average, expression)
  }

  /// `COUNT(x)`: the number of values that are neither null nor missing.
  ///
  /// - Parameter expression: the values; nil or ``Expression/all()`` counts rows.
  public static func count(_ expression: (any ExpressionProtocol)? = nil) -> any ExpressionProtocol {
    BuiltExpression(.count, expression ?? Expression.all())
  }

  /// `MAX(x)`: the largest value of a group.
  ///
  /// - Parameter expression: the values.
  public static func max(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.maximum, expression)
  }

  /// `MIN(x)`: the smallest value of a group.
  ///
  /// - Parameter expression: the values.
  public static func min(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.minimum, expression)
  }

  /// `SUM(x)`: the sum of the numbers of a group.
  ///
  /// - Parameter expression: the values; values other than numbers are ignored.
  public static func sum(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.sum, expression)
  }
}

// MARK: Mathematics

extension Function {
  /// `ABS(x)`: the absolute value.
  ///
  /// - Parameter expression: a number.
  public static func abs(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.abs, expression)
  }

  /// `ACOS(x)`: the arc cosine in radians.
  ///
  /// - Parameter expression: a number.
  public static func acos(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.acos, expression)
  }

  /// `ASIN(x)`: the arc sine in radians.
  ///
  /// - Parameter expression: a number.
  public static func asin(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.asin, expression)
  }

  /// `ATAN(x)`: the arc tangent in radians.
  ///
  /// - Parameter expression: a number.
  public static func atan(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.atan, expression)
  }

  /// `ATAN2(y, x)`: the angle between the positive x axis and the point (x, y), in radians.
  ///
  /// - Parameters:
  ///   - y: the y coordinate of the point.
  ///   - x: the x coordinate of the point.
  public static func atan2(y: any ExpressionProtocol, x: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.atan2, y, x)
  }

  /// `CEIL(x)`: the smallest integer that is not less than the number.
  ///
  /// - Parameter expression: a number.
  public static func ceil(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.ceil, expression)
  }

  /// `COS(x)`: the cosine.
  ///
  /// - Parameter expression: an angle in radians.
  public static func cos(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.cos, expression)
  }

  /// `DEGREES(x)`: an angle in degrees.
  ///
  /// - Parameter expression: an angle in radians.
  public static func degrees(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.degrees, expression)
  }

  /// `E()`: the base of natural logarithms.
  public static func e() -> any ExpressionProtocol { BuiltExpression(.e) }

  /// `EXP(x)`: *e* raised to a power.
  ///
  /// - Parameter expression: the exponent.
  public static func exp(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.exp, expression)
  }

  /// `FLOOR(x)`: the largest integer that is not greater than the number.
  ///
  /// - Parameter expression: a number.
  public static func floor(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.floor, expression)
  }

  /// `LN(x)`: the natural logarithm.
  ///
  /// - Parameter expression: a number.
  public static func ln(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.naturalLogarithm, expression)
  }

  /// `LOG(x)`: the logarithm to the base 10.
  ///
  /// - Parameter expression: a number.
  public static func log(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.decimalLogarithm, expression)
  }

  /// `PI()`: the ratio of a circle's circumference to its diameter.
  public static func pi() -> any ExpressionProtocol { BuiltExpression(.pi) }

  /// `POWER(base, exponent)`: a number raised to a power.
  ///
  /// - Parameters:
  ///   - base: the number to raise.
  ///   - exponent: the exponent.
  public static func power(base: any ExpressionProtocol, exponent: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.power, base, exponent)
  }

  /// `RADIANS(x)`: an angle in radians.
  ///
  /// - Parameter expression: an angle in degrees.
  public static func radians(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.radians, expression)
  }

  /// `ROUND(x)`: the nearest integer; halves are rounded away from zero.
  ///
  /// - Parameter expression: a number.
  public static func round(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.round, expression)
  }

  /// `ROUND(x, digits)`: the number rounded to a number of decimal places.
  ///
  /// - Parameters:
  ///   - expression: a number.
  ///   - digits: the number of decimal places.
  public static func round(
    _ expression: any ExpressionProtocol, digits: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    BuiltExpression(.round, expression, digits)
  }

  /// `SIGN(x)`: the sign of the number, -1, 0 or 1.
  ///
  /// - Parameter expression: a number.
  public static func sign(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.sign, expression)
  }

  /// `SIN(x)`: the sine.
  ///
  /// - Parameter expression: an angle in radians.
  public static func sin(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.sin, expression)
  }

  /// `SQRT(x)`: the square root.
  ///
  /// - Parameter expression: a number.
  public static func sqrt(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.squareRoot, expression)
  }

  /// `TAN(x)`: the tangent.
  ///
  /// - Parameter expression: an angle in radians.
  public static func tan(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.tan, expression)
  }

  /// `TRUNC(x)`: the number without its fractional part.
  ///
  /// - Parameter expression: a number.
  public static func trunc(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.truncate, expression)
  }

  /// `TRUNC(x, digits)`: the number truncated to a number of decimal places.
  ///
  /// - Parameters:
  ///   - expression: a number.
  ///   - digits: the number of decimal places.
  public static func trunc(
    _ expression: any ExpressionProtocol, digits: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    BuiltExpression(.truncate, expression, digits)
  }
}

// MARK: Strings

extension Function {
  /// `CONTAINS(x, substring)`: whether a string contains another.
  ///
  /// - Parameters:
  ///   - expression: the string to search.
  ///   - substring: the string to find.
  public static func contains(
    _ expression: any ExpressionProtocol, substring: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    BuiltExpression(.contains, expression, substring)
  }

  /// `LENGTH(x)`: the number of Unicode scalars.
  ///
  /// - Parameter expression: a string.
  public static func length(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.length, expression)
  }

  /// `LOWER(x)`: the string in lower case.
  ///
  /// - Parameter expression: a string.
  public static func lower(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.lower, expression)
  }

  /// `LTRIM(x)`: the string without leading white space.
  ///
  /// - Parameter expression: a string.
  public static func ltrim(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.trimLeft, expression)
  }

  /// `RTRIM(x)`: the string without trailing white space.
  ///
  /// - Parameter expression: a string.
  public static func rtrim(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.trimRight, expression)
  }

  /// `TRIM(x)`: the string without leading and trailing white space.
  ///
  /// - Parameter expression: a string.
  public static func trim(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.trim, expression)
  }

  /// `UPPER(x)`: the string in upper case.
  ///
  /// - Parameter expression: a string.
  public static func upper(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.upper, expression)
  }
}

// MARK: Dates

extension Function {
  /// `STR_TO_MILLIS(x)`: a date as the number of milliseconds since 1970.
  ///
  /// - Parameter expression: a date in ISO 8601.
  public static func stringToMillis(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.stringToMillis, expression)
  }

  /// `STR_TO_UTC(x)`: a date in UTC.
  ///
  /// - Parameter expression: a date in ISO 8601.
  public static func stringToUTC(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.stringToUTC, expression)
  }

  /// `MILLIS_TO_STR(x)`: a date in ISO 8601, in the local time zone.
  ///
  /// - Parameter expression: milliseconds since 1970.
  public static func millisToString(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.millisToString, expression)
  }

  /// `MILLIS_TO_UTC(x)`: a date in ISO 8601, in UTC.
  ///
  /// - Parameter expression: milliseconds since 1970.
  public static func millisToUTC(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
    BuiltExpression(.millisToUTC, expression)
  }
}
