import Foundation
import JSONText
import QueryModel

/// Translates Foundation's `#Predicate` and `SortDescriptor` to queries, for types that documents are decoded as.
///
/// ```swift
/// let predicate = #Predicate<Hotel> { $0.stars >= 4 && $0.address?.city == "Riga" }
/// try PredicateTranslator.expression(predicate).description
/// // stars >= 4 AND address.city = 'Riga'
/// ```
///
/// Key paths become the properties that the type's `init(from:)` reads (``KeyPathResolver``), captured values become
/// literals as they would be saved (``CapturedValue``). The condition is true of exactly the documents of whose values the
/// predicate is: nil is what is null or missing, and `$0.name != "x"` is true of it, as in Swift. Three things are those of
/// queries: strings are compared by their bytes, `count` of a string counts code points, and dates are compared as the text
/// in which they are saved.
///
/// Each type of ``PredicateExpressions`` that can be translated conforms to ``TranslatableExpression``.
enum PredicateTranslator {
  /// The condition of a predicate.
  ///
  /// - Throws: ``CBLError/invalidQuery``, which names what cannot be asked of documents.
  static func expression<T>(_ predicate: Foundation.Predicate<T>) throws -> QueryExpression {
    var name = "element"
    while true {
      let context = PredicateContext(variableName: name)
      context.bindings[predicate.variable.key] = .everything(source: nil)
      let expression = try context.condition(predicate.expression, is: true)
      // SQL++ cannot distinguish a property from a variable with the same name.
      guard expression.holdsProperty(beginningWith: name) else { return expression }
      name += "_"
    }
  }

  /// Translates a sort descriptor.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for one that does not sort by a key path to something that is decoded.
  static func sortTerm<T>(_ descriptor: SortDescriptor<T>) throws -> SortTerm {
    guard let keyPath = descriptor.keyPath else {
      throw CBLError(CBLError.invalidQuery, "the order by a SortDescriptor needs one with a key path")
    }
    return SortTerm(try expression(keyPath), isAscending: descriptor.order == .forward)
  }

  /// The property that a key path leads to.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for what is not decoded.
  static func expression<T>(_ keyPath: PartialKeyPath<T>) throws -> QueryExpression {
    .everything(source: nil).member(at: try KeyPathResolver().resolve(keyPath))
  }
}

extension QueryExpression {
  /// The value at a key path below this value.
  func member(at path: ResolvedKeyPath) -> QueryExpression {
    if case .everything(let source) = self, path.isDocumentID { return .metadata(.id, source: source) }
    return member(at: path.components)
  }

  fileprivate func holdsProperty(beginningWith name: String) -> Bool {
    if case .property(let path, _) = self, case .key(let key)? = path.components.first, key.hasPrefix(name) {
      return true
    }
    return children.contains { $0.holdsProperty(beginningWith: name) }
  }
}
