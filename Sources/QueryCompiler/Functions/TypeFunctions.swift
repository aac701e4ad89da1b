import JSONText
import QueryModel

extension QueryFunctions {
  /// Type checks and conversions. A check returns MISSING for MISSING and null for null, as in Couchbase Lite
  /// (QueryTest).
  static let typeFunctions: [ScalarFunction] =
    [
      check(.isArray) { if case .array = $0 { true } else { false } },
      check(.isObject) { if case .object = $0 { true } else { false } },
      check(.isBoolean) { if case .boolean = $0 { true } else { false } },
      check(.isNumber) { $0.number != nil },
      check(.isString) { $0.string != nil },
      check(.isAtom) { value in
        switch value {
        case .boolean, .integer, .double, .string: true
        default: false
        }
      },
      ScalarFunction(.type) { .string($0[0].typeName) },
      conversion(.toArray) { $0.toArray() },
      conversion(.toAtom) { $0.toAtom() },
      conversion(.toBoolean, isCondition: true) { $0.toBoolean() },
      conversion(.toNumber) { $0.toNumber() },
      conversion(.toObject) { $0.toObject() },
      conversion(.toString) { $0.toString() },
    ]

  private static func check(_ function: QueryFunction, _ test: @escaping @Sendable (QueryValue) -> Bool)
    -> ScalarFunction
  {
    ScalarFunction(function, isCondition: true) { arguments in
      arguments[0].isValued ? .boolean(test(arguments[0])) : arguments[0]
    }
  }

  private static func conversion(
    _ function: QueryFunction, isCondition: Bool = false, _ convert: @escaping @Sendable (QueryValue) -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction(function, isCondition: isCondition) { convert($0[0]) }
  }
}
