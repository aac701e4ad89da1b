import QueryModel

extension Function {
  /// Calls an SQL++ function by name, for functions that have no dedicated method. Not in Couchbase Lite.
  ///
  /// ```swift
  /// Function.call("SUBSTR", Expression.property("name"), Expression.int(0), Expression.int(3))
  /// // SUBSTR(name, 0, 3)
  /// ```
  ///
  /// A query with a function that does not exist, or with the wrong number of arguments, throws when it is run.
  ///
  /// - Parameters:
  ///   - name: the name of the function, in any letter case.
  ///   - arguments: the arguments, in order.
  public static func call(_ name: String, _ arguments: any ExpressionProtocol...) -> any ExpressionProtocol {
    guard let function = QueryFunction(named: name) else {
      return BuiltExpression(fault: .invalidQuery("there is no function \(name)"))
    }
    let (minimum, maximum) = function.argumentCount
    guard arguments.count >= minimum, arguments.count <= maximum ?? .max else {
      let bounds = maximum.map { $0 == minimum ? "\($0)" : "\(minimum) to \($0)" } ?? "\(minimum) or more"
      return BuiltExpression(
        fault: .invalidQuery("\(function.rawValue) takes \(bounds) arguments, \(arguments.count) given"))
    }
    return BuiltExpression(over: arguments.map { BuiltExpression($0) }) { .function(function, $0) }
  }
}
