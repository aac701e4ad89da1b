import Foundation
import JSONText

/// The property of a document that a key path refers to.
struct ResolvedKeyPath: Hashable {
  /// The path of the property in the document.
  var components: [PropertyPath.Component]
  /// Whether the key path refers to the id of the document, which is not a property.
  var isDocumentID = false
}

/// Finds the property of a document for a Swift key path.
///
/// The properties of a document are named by coding keys, and only `init(from:)` knows which Swift property is decoded
/// from which key. The resolver tests this with sample values: it decodes one instance, and one more for each coding
/// key, in which only that key has a different value. A Swift property is decoded from a key if it changes with the
/// key, and both of its values equal those that were decoded for the key. This finds renamed keys, wrapped properties,
/// and properties in nested containers.
///
/// Computed properties are not read, because their code may trap for sample values and queries cannot evaluate them.
///
/// Each translation uses its own instance, which caches the samples of each type. It is not thread-safe.
final class KeyPathResolver {
  private var samples: [ObjectIdentifier: Any] = [:]

  /// Returns the property that a key path refers to.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if it does not refer to a decoded property. The message contains the key path
  ///   and the reason.
  func resolve(_ keyPath: AnyKeyPath) throws -> ResolvedKeyPath {
    guard let type = type(of: keyPath).rootType as? any Decodable.Type else {
      throw fault(keyPath, "\(type(of: keyPath).rootType) cannot be decoded, so it has no properties in a document")
    }
    return try resolve(keyPath, in: type)
  }

  private func resolve<T: Decodable>(_ keyPath: AnyKeyPath, in type: T.Type) throws -> ResolvedKeyPath {
    guard let keyPath = keyPath as? PartialKeyPath<T> else { throw fault(keyPath, "it belongs to another type") }
    let samples = self.samples[ObjectIdentifier(type)] as? TypeSamples<T> ?? TypeSamples<T>()
    self.samples[ObjectIdentifier(type)] = samples
    let name = KeyPathName(keyPath)
    guard !name.isComputed || mayRead(keyPath, name, samples) else {
      throw fault(keyPath, "it is a computed property, and a document contains only decoded properties")
    }
    switch samples.source(of: keyPath) {
    case .found(let path): return path
    case .mixed: throw fault(keyPath, "it is computed from decoded values and not decoded itself")
    case .unknown(let keys):
      if let key = key(of: name, among: keys, samples) { return ResolvedKeyPath(components: [.key(key)]) }
    }
    if samples.isEmpty {
      throw fault(
        keyPath,
        "\(T.self) cannot be decoded from sample values, so its coding key is unknown; give the key the name of the "
          + "property")
    }
    throw fault(keyPath, "it is not decoded from any coding key of \(T.self)")
  }

  /// Returns the key of a property that sample values cannot change, because its type has only one value or `T` cannot
  /// be decoded from sample values. A single candidate is returned; of several, the one with the name of the property
  /// is returned.
  private func key<T>(of name: KeyPathName, among keys: [String], _ samples: TypeSamples<T>) -> String? {
    if keys.count == 1 { return keys.first }
    guard name.properties.count == 1, !name.isComputed, !name.isChained, let property = name.properties.first,
      samples.isEmpty ? samples.hasKey(property) : keys.contains(property)
    else { return nil }
    return property
  }

  /// Whether a property that is described as computed can be read safely: a wrapped property or a stored property of a
  /// class.
  private func mayRead<T>(_ keyPath: PartialKeyPath<T>, _ name: KeyPathName, _ samples: TypeSamples<T>) -> Bool {
    guard name.isOneComputed else { return false }
    if keyPath is any SettableKeyPath { return true }
    // A `DocumentID` property with a private setter has no writable key path.
    return type(of: keyPath).valueType == String?.self && samples.holdsDocumentID
  }

  private func fault(_ keyPath: AnyKeyPath, _ reason: String) -> CBLError {
    CBLError(CBLError.invalidQuery, "\(keyPath.shown) cannot be used in a query: \(reason)")
  }
}

extension AnyKeyPath {
  /// The description of the key path without code addresses.
  var shown: String {
    debugDescription.replacing(/<computed 0x[0-9a-f]+ \((.*?)\)>/) { "(computed \($0.1))" }
  }
}
