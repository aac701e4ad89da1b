import JSONText

extension QueryFunctions {
  /// Type checks and conversions. Checks of MISSING are MISSING and of null null, as in Couchbase Lite (QueryTest).
  static let typeFunctions: [ScalarFunction] =
    [
      check("ARRAY") { if case .array = $0 { true } else { false } },
      check("OBJECT") { if case .object = $0 { true } else { false } },
      check("BOOLEAN") { if case .boolean = $0 { true } else { false } },
      check("NUMBER") { $0.number != nil },
      check("STRING") { $0.string != nil },
      check("ATOM") { value in
        switch value {
        case .boolean, .integer, .double, .string: true
        default: false
        }
      },
      ScalarFunction("TYPE", aliases: ["TYPENAME", "TYPE_NAME"], 1...1) { .string($0[0].typeName) },
      conversion("ARRAY") { $0.toArray() },
      conversion("ATOM") { $0.toAtom() },
      conversion("BOOLEAN", isCondition: true) { $0.toBoolean() },
      conversion("NUMBER") { $0.toNumber() },
      conversion("OBJECT") { $0.toObject() },
      conversion("STRING") { $0.toString() },
    ]

  private static func check(_ type: String, _ test: @escaping @Sendable (QueryValue) -> Bool) -> ScalarFunction {
    ScalarFunction("IS" + type, aliases: ["IS_" + type], 1...1, isCondition: true) { arguments in
      arguments[0].isValued ? .boolean(test(arguments[0])) : arguments[0]
    }
  }

  private static func conversion(
    _ type: String, isCondition: Bool = false, _ convert: @escaping @Sendable (QueryValue) -> QueryValue
  ) -> ScalarFunction {
    ScalarFunction("TO" + type, aliases: ["TO_" + type], 1...1, isCondition: isCondition) { convert($0[0]) }
  }
}
