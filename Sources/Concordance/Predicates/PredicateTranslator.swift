import Foundation
import JSONText
import QueryModel

/// Translates Foundation's `#Predicate` and `SortDescriptor` to expressions of the query model.
///
/// ```swift
/// let predicate = #Predicate<Hotel> { $0.stars >= 4 && $0.address?.city == "Riga" }
/// try PredicateTranslator.expression(predicate).description
/// // stars >= 4 AND address.city = 'Riga'
/// ```
///
/// A key path becomes the property that the type's `init(from:)` decodes (``KeyPathResolver``). A captured value
/// becomes a literal in the form in which it is saved (``CapturedValue``).
///
/// The condition is true for a document if and only if the predicate is true for the value that is decoded from the
/// document. A property that is null or missing is nil, so `$0.name != "x"` is true for it, as in Swift. Three
/// operations have the semantics of queries: strings are compared by their bytes, `count` of a string counts code
/// points, and dates are compared as the strings in which they are saved.
///
/// Each type of ``PredicateExpressions`` that can be translated conforms to ``TranslatableExpression``.
enum PredicateTranslator {
  /// Translates a predicate to a condition.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if a part cannot be translated. The message names the part.
  static func expression<T>(_ predicate: Foundation.Predicate<T>) throws -> QueryExpression {
    var name = "element"
    while true {
      let context = PredicateContext(variableName: name)
      context.bindings[predicate.variable.key] = .everything(source: nil)
      let expression = try context.condition(predicate.expression, is: true)
      // SQL++ cannot distinguish a property from a variable with the same name.
      guard expression.containsProperty(beginningWith: name) else { return expression }
      name += "_"
    }
  }

  /// Translates a sort descriptor.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if it has no key path, or the key path does not refer to a decoded property.
  static func sortTerm<T>(_ descriptor: SortDescriptor<T>) throws -> SortTerm {
    guard let keyPath = descriptor.keyPath else {
      throw CBLError(CBLError.invalidQuery, "the SortDescriptor has no key path; create it with a key path")
    }
    return SortTerm(try expression(keyPath), isAscending: descriptor.order == .forward)
  }

  /// Translates a key path to a property.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if the key path does not refer to a decoded property.
  static func expression<T>(_ keyPath: PartialKeyPath<T>) throws -> QueryExpression {
    .everything(source: nil).member(at: try KeyPathResolver().resolve(keyPath))
  }
}

extension QueryExpression {
  /// Returns the value at a resolved key path inside this value.
  func member(at path: ResolvedKeyPath) -> QueryExpression {
    if case .everything(let source) = self, path.isDocumentID { return .metadata(.id, source: source) }
    return member(at: path.components)
  }

  /// Whether this expression contains a property whose first key begins with `name`.
  fileprivate func containsProperty(beginningWith name: String) -> Bool {
    if case .property(let path, _) = self, case .key(let key)? = path.components.first, key.hasPrefix(name) {
      return true
    }
    return children.contains { $0.containsProperty(beginningWith: name) }
  }
}
