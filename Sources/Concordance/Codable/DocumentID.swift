import Foundation

/// The property of a `Codable` type that contains the id of its document.
///
/// ```swift
/// struct Hotel: Codable {
///   @DocumentID var id: String?
///   var name: String
/// }
/// ```
///
/// If the id is nil, the first save generates a UUID and sets the id. The wrapper is a class, so that saving a struct
/// can set the id. It also stores the document version that was last read or saved, which is used to detect conflicts.
/// Copies of a struct share the wrapper.
///
/// The property is found by reflection, so the coding keys of a type need not contain it, and subclasses inherit it.
/// The id is not stored as a property of the document. Other encoders, such as `JSONEncoder`, encode it as a string.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of the object, a `StripedLock`. A replaced document
/// is released outside the lock.
@propertyWrapper public final class DocumentID: Codable, @unchecked Sendable {
  private var state: (id: String?, document: Document?)

  /// The id; nil before the first save.
  public var wrappedValue: String? {
    get { StripedLock.of(self).withLock { state.id } }
    set {
      _ = StripedLock.of(self).withLock {
        let old = state.document
        state = (newValue, old?.id == newValue ? old : nil)
        return old
      }
    }
  }

  /// Creates the property.
  ///
  /// - Parameter wrappedValue: the id; nil to let the first save generate it.
  public init(wrappedValue: String?) { state = (wrappedValue, nil) }

  /// Creates the property for a document that was read.
  init(_ document: Document?) { state = (document?.id, document) }

  /// Decodes the id from a string or null.
  ///
  /// - Throws: `DecodingError` if the value is neither a string nor null.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    state = (container.decodeNil() ? nil : try container.decode(String.self), nil)
  }

  /// Encodes the id as a string, or null.
  ///
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }

  /// The document that was last read or saved.
  var document: Document? {
    get { StripedLock.of(self).withLock { state.document } }
    set {
      _ = StripedLock.of(self).withLock {
        let old = state.document
        state = (newValue?.id ?? state.id, newValue)
        return old
      }
    }
  }
}

extension DocumentID {
  /// Returns the properties of a value that are document ids, including those of superclasses, with their names.
  static func properties(of value: Any) -> [(name: String, id: DocumentID)] {
    var found: [(String, DocumentID)] = []
    var mirror: Mirror? = Mirror(reflecting: value)
    while let level = mirror {
      for child in level.children {
        // The type is compared first, because casting an arbitrary value to a class may copy all of it.
        guard type(of: child.value) == DocumentID.self, let id = child.value as? DocumentID else { continue }
        // The storage of a wrapped property is named after the property, with a leading underscore.
        found.append((String(child.label?.trimmingPrefix("_") ?? ""), id))
      }
      mirror = level.superclassMirror
    }
    return found
  }

  /// Returns the document id of a value.
  ///
  /// - Throws: ``CBLError/invalidParameter`` if the value has no ``DocumentID`` property, or more than one.
  static func property<T>(of value: T) throws -> DocumentID {
    let found = properties(of: value)
    guard found.count == 1 else {
      throw CBLError(
        CBLError.invalidParameter,
        "\(T.self) has \(found.isEmpty ? "no property" : "more than one property") for the id of its document; "
          + "declare one: @DocumentID var id: String?")
    }
    return found[0].id
  }
}

extension KeyedDecodingContainer {
  /// Decodes an id. As for an optional property, the id is nil if the key is missing.
  ///
  /// - Parameters:
  ///   - type: the type of the property.
  ///   - key: the coding key.
  /// - Throws: `DecodingError` if the value is neither a string nor null.
  public func decode(_ type: DocumentID.Type, forKey key: Key) throws -> DocumentID {
    try decodeIfPresent(type, forKey: key) ?? DocumentID(wrappedValue: nil)
  }
}
