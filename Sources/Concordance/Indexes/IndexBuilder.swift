/// The definition of an index for ``Collection/createIndex(withName:config:)``.
///
/// The library's types that conform are ``FullTextIndexConfiguration``, ``PatternIndexConfiguration``,
/// ``ValueIndexConfiguration``, ``ArrayIndexConfiguration`` and ``PredictiveIndexConfiguration``. Types of your own
/// cannot be indexes.
public protocol IndexConfiguration: Sendable {}

/// The definition of an index, made by ``IndexBuilder``.
///
/// It is a class, not a protocol as in Couchbase Lite, because developer builds have functions of `Index` itself, such
/// as ``valueIndex()``. Only the library has subclasses.
///
/// `@unchecked Sendable`: it has no state, and its subclasses are final and have only constants, so it needs no lock.
public class Index: @unchecked Sendable {
  init() {}

  /// The stored definition. Every subclass overrides it.
  ///
  /// - Throws: ``CBLError`` if no index can be created from the definition.
  func storedDefinition() throws -> any StoredIndexDefinition {
    throw CBLError(CBLError.unsupported, "there is no index of the type \(type(of: self))")
  }
}

/// Creates index definitions for ``Collection/createIndex(_:name:)``.
///
/// ```swift
/// let index = IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("name"))
///   .ignoreAccents(true)
///   .language("en")
/// try hotels.createIndex(index, name: "text")
/// ```
///
/// The types named `…IndexConfiguration` describe the same indexes.
public enum IndexBuilder {}
