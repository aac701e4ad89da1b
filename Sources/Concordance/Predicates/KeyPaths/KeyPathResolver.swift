import Foundation
import JSONText

/// The property of a document that a key path refers to.
struct ResolvedKeyPath: Hashable {
  var components: [PropertyPath.Component]
  /// Whether it refers to the id of the document.
  var isDocumentID = false
}

/// Finds the property of a document for a Swift key path.
///
/// The names of a document are those of coding keys, and only `init(from:)` knows which property is read from which. So it is
/// asked: an instance is made of sample values, then others in each of which one coding key has another value. A property
/// that changes with a key and holds its very value is that one. This finds renamed keys, wrapped properties, and properties
/// of nested containers.
///
/// Computed properties are not read: their code might fail for sample values, and queries cannot evaluate them.
///
/// Each translation uses its own instance, which caches the samples of each type.
final class KeyPathResolver {
  private var samples: [ObjectIdentifier: Any] = [:]

  /// The path in a document.
  ///
  /// - Throws: ``CBLError/invalidQuery``, which names the key path and what is wrong with it.
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
      throw fault(keyPath, "it is a computed property, and documents hold only what is decoded")
    }
    switch samples.source(of: keyPath) {
    case .found(let path): return path
    case .mixed: throw fault(keyPath, "it is computed from what the document holds, and not decoded itself")
    case .unknown(let keys):
      if let key = key(of: name, among: keys, samples) { return ResolvedKeyPath(components: [.key(key)]) }
    }
    if samples.isEmpty {
      throw fault(
        keyPath, "\(T.self) could not be decoded from sample values, so its coding key is not known; give it its name")
    }
    throw fault(keyPath, "no coding key of \(T.self) belongs to it")
  }

  /// The key of a property that samples could not change: it has one value only, or the type takes no samples. The key
  /// that is left, or else the one that has its name.
  private func key<T>(of name: KeyPathName, among keys: [String], _ samples: TypeSamples<T>) -> String? {
    if keys.count == 1 { return keys.first }
    guard name.properties.count == 1, !name.isComputed, !name.isChained, let property = name.properties.first,
      samples.isEmpty ? samples.hasKey(property) : keys.contains(property)
    else { return nil }
    return property
  }

  /// Whether reading the computed property runs no code that is not prepared for any value.
  private func mayRead<T>(_ keyPath: PartialKeyPath<T>, _ name: KeyPathName, _ samples: TypeSamples<T>) -> Bool {
    guard name.isOneComputed else { return false }
    if keyPath is any SettableKeyPath { return true }
    // A wrapped id with a private setter.
    return type(of: keyPath).valueType == String?.self && samples.holdsDocumentID
  }

  private func fault(_ keyPath: AnyKeyPath, _ reason: String) -> CBLError {
    CBLError(CBLError.invalidQuery, "the predicate asks for \(keyPath.shown): \(reason)")
  }
}

extension AnyKeyPath {
  /// The key path as it is written, without addresses of code.
  var shown: String {
    debugDescription.replacing(/<computed 0x[0-9a-f]+ \((.*?)\)>/) { "(computed \($0.1))" }
  }
}
