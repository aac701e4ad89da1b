import JSONText
import QueryModel

/// A property of a document, or the whole document.
public protocol PropertyExpressionProtocol: ExpressionProtocol {
  /// Returns the property of the source with this name.
  ///
  /// - Parameter alias: the name of the source; nil if the query has only one source.
  func from(_ alias: String?) -> any ExpressionProtocol
}

struct PropertyExpression: PropertyExpressionProtocol, BuilderExpression {
  let built: BuiltExpression

  func from(_ alias: String?) -> any ExpressionProtocol { built.from(alias) }
}

extension PropertyExpression {
  /// Creates the property at a path.
  init(_ text: String) {
    built = BuiltExpression(path: text) { path in .property(path, source: nil) }
  }
}

extension BuiltExpression {
  /// Creates an expression for a path, which must begin with a key and select one value.
  ///
  /// - Parameters:
  ///   - text: the path.
  ///   - readsEscapes: whether a backslash makes the next character part of a key, as in ``Expression/property(_:)``.
  init(path text: String, readsEscapes: Bool = true, _ make: (PropertyPath) -> QueryExpression) {
    do {
      let path = readsEscapes ? try PropertyPath(escaped: text) : try PropertyPath(text)
      guard case .key? = path.components.first else {
        throw CBLError.invalidQuery("property path \"\(text)\": a path begins with a key")
      }
      guard !path.components.contains(.each) else {
        throw CBLError.invalidQuery(
          "property path \"\(text)\": [] selects many values; use a position, or ArrayExpression.any")
      }
      self.init(make(path))
    } catch {
      self.init(fault: error as? CBLError ?? .invalidQuery("\(error)"))
    }
  }
}
