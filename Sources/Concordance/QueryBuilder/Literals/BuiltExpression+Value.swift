import JSONText
import QueryModel

extension BuiltExpression {
  /// Creates a literal from a Swift value, which can contain expressions. It has the same meaning as the value in a
  /// document.
  init(value: Any?) { self.init(value: value, depth: 1) }

  private init(value: Any?, depth: Int) {
    // Checked before the recursion, so that a deeply nested value cannot overflow the stack.
    guard depth <= SQLParser.maximumDepth else {
      self.init(fault: .invalidQuery("a value is nested more than \(SQLParser.maximumDepth) levels deep"))
      return
    }
    switch value {
    case let value as any ExpressionProtocol: self.init(value)
    case let value as [String: Any]:
      let entries = value.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      self.init(over: entries.map { BuiltExpression(value: $0.value, depth: depth + 1) }) { values in
        .dictionary(zip(entries, values).map { DictionaryEntry($0.key, $1) })
      }
    case let value as [Any]:
      self.init(over: value.map { BuiltExpression(value: $0, depth: depth + 1) }) { .array($0) }
    default:
      do {
        self.init(json: try PropertyValue(value).jsonValue())
      } catch {
        self.init(fault: .invalidQuery("a query cannot contain \(error.message)"))
      }
    }
  }

  private init(json value: JSONValue) {
    switch value {
    case .null: self.init(.null)
    case .boolean(let value): self.init(.boolean(value))
    case .int64(let value): self.init(.integer(value))
    // The SQL++ parser also converts such a number to a double.
    case .uint64(let value): self.init(.double(Double(value)))
    case .double(let value): self.init(.double(value))
    case .string(let value): self.init(.string(value))
    case .array(let values): self.init(over: values.map { BuiltExpression(json: $0) }) { .array($0) }
    case .object(let members):
      let members = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      self.init(over: members.map { BuiltExpression(json: $0.value) }) { values in
        .dictionary(zip(members, values).map { DictionaryEntry($0.key, $1) })
      }
    }
  }
}
