import DocumentStore
import JSONText
import MapReduce

/// Receives a row of a view: its key and its value.
public typealias ViewEmit = (_ key: Any?, _ value: Any?) -> Void

/// Maps a document to rows of a view. See ``View/setMap(version:reduce:_:)``.
public typealias ViewMap = @Sendable (_ document: Document, _ emit: ViewEmit) throws -> Void

/// The functions of a view that a program has set.
struct ViewFunctions: Sendable {
  let configuration: ViewConfiguration
  let map: ViewMap
  let reduce: ViewReduce?
}

/// The functions of the views of a database.
final class ViewRegistry: Sendable {
  private struct Key: Hashable {
    let collection: Int64
    /// The UTF-8 bytes, because names of indexes are compared by bytes.
    let name: [UInt8]
  }

  /// The functions of the last two versions of each view, the latest first. While a program sets a new version, queries of
  /// other threads still read the previous one.
  private let functions = Locked<[Key: [ViewFunctions]]>([:])

  /// Adds the functions of a version, which replace those of the same version.
  ///
  /// - Returns: the functions before, for ``restore(_:for:)``.
  func set(_ latest: ViewFunctions, for view: View) -> [ViewFunctions] {
    functions.withLock { functions in
      let known = functions[key(of: view)] ?? []
      functions[key(of: view)] = [latest] + known.filter { $0.configuration != latest.configuration }.prefix(1)
      return known
    }
  }

  /// Replaces all functions of a view.
  func restore(_ previous: [ViewFunctions], for view: View) {
    let replaced = functions.withLock { functions in
      let key = key(of: view)
      defer { functions[key] = previous.isEmpty ? nil : previous }
      return functions[key]
    }
    // Released outside the lock, because a function may own objects whose deinitializers call this database.
    withExtendedLifetime(replaced) {}
  }

  /// Returns the functions of a version of a view.
  func functions(of view: View, _ configuration: ViewConfiguration) -> ViewFunctions? {
    functions.withLock { $0[key(of: view)]?.first { $0.configuration == configuration } }
  }

  /// Returns the functions that were set last.
  func latestFunctions(of view: View) -> ViewFunctions? { functions.withLock { $0[key(of: view)]?.first } }

  private func key(of view: View) -> Key { Key(collection: view.collection.record.id, name: Array(view.name.utf8)) }
}

extension ViewFunctions {
  /// Returns the map function for updates.
  func makeMap(of collection: Collection) -> ViewUpdate.Map {
    let map = map
    let models = collection.engine.models
    return { stored, emit in
      let document = Document(stored, in: collection)
      var fault: (any Error)?
      try models.withoutChanges {
        try withoutActuallyEscaping(emit) { emit in
          try map(document) { key, value in
            do {
              guard let key = try ViewJSON.value(key) else { return }
              emit(ViewUpdate.Emission(key, try ViewFunctions.value(value, of: document)))
            } catch {
              fault = fault ?? error
            }
          }
        }
      }
      if let fault { throw fault }
    }
  }

  private static func value(_ value: Any?, of document: Document) throws -> ViewValue {
    if let same = value as? Document, same === document { return .document }
    guard let json = try ViewJSON.value(value) else { return .none }
    return .json(Array(json.text.utf8))
  }
}
