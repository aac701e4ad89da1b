/// The definition of an index for ``Collection/createIndex(withName:config:)``.
///
/// The conforming types are ``FullTextIndexConfiguration``, ``PatternIndexConfiguration``,
/// ``ValueIndexConfiguration``, ``ArrayIndexConfiguration``, ``PredictiveIndexConfiguration`` and
/// ``ViewConfiguration``. Do not conform your own types to this protocol.
public protocol IndexConfiguration: Sendable {}

/// The definition of an index, created by ``IndexBuilder``.
///
/// It is a class, not a protocol as in Couchbase Lite, because in developer builds of Couchbase Lite `Index` has static
/// functions, such as ``valueIndex()``. Only the library defines subclasses.
///
/// `@unchecked Sendable`: it has no state, and its subclasses are final and have only constants, so it needs no lock.
public class Index: @unchecked Sendable {
  init() {}

  /// Returns the stored definition. Every subclass overrides this function.
  ///
  /// - Throws: ``CBLError`` if no index can be created from the definition.
  func storedDefinition() throws -> any StoredIndexDefinition {
    throw CBLError(CBLError.unsupported, "\(type(of: self)) is not a supported type of index")
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
