import DocumentStore
import JSONText
import MapReduce

/// Receives a row of a view: its key and its value.
public typealias ViewEmit = (_ key: Any?, _ value: Any?) -> Void

/// Maps a document to rows of a view. See ``View/setMap(version:reduce:_:)``.
public typealias ViewMap = @Sendable (_ document: Document, _ emit: ViewEmit) throws -> Void

/// The functions of a view that a program has set. Each call of ``View/setMap(version:reduce:_:)`` creates an object.
final class ViewFunctions: Sendable {
  let configuration: ViewConfiguration
  let map: ViewMap
  let reduce: ViewReduce?

  init(configuration: ViewConfiguration, map: @escaping ViewMap, reduce: ViewReduce?) {
    self.configuration = configuration
    self.map = map
    self.reduce = reduce
  }
}

/// The functions of the views of a database.
final class ViewRegistry: Sendable {
  private struct Key: Hashable {
    let collection: Int64
    /// The UTF-8 bytes, because names of indexes are compared by bytes.
    let name: [UInt8]
  }

  private struct Entry {
    let functions: ViewFunctions
    /// Whether the version may not be stored yet.
    var isPending = true
  }

  /// The functions of each view, the latest first. While a program sets a new version, queries of other threads still
  /// read the previous one.
  private let functions = Locked<[Key: [Entry]]>([:])

  /// Adds the functions of a version, which replace those of the same version.
  ///
  /// - Returns: the replaced functions; nil if there were none.
  func add(_ latest: ViewFunctions, for view: View) -> ViewFunctions? {
    functions.withLock { functions in
      let key = key(of: view)
      let known = functions[key] ?? []
      functions[key] =
        [Entry(functions: latest)] + known.filter { $0.functions.configuration != latest.configuration }
      return known.first { $0.functions.configuration == latest.configuration }?.functions
    }
  }

  /// Removes functions whose version could not be stored, and puts back the functions that they replaced. Has no effect
  /// if they have been replaced or removed since.
  ///
  /// - Returns: all functions that the view had; see ``remove(_:for:)``.
  @discardableResult
  func withdraw(_ added: ViewFunctions, restoring replaced: ViewFunctions?, for view: View) -> [ViewFunctions] {
    change(view) { known in
      guard let index = known.firstIndex(where: { $0.functions === added }) else { return }
      known.remove(at: index)
      if let replaced { known.insert(Entry(functions: replaced, isPending: false), at: index) }
    }
  }

  /// Records that the version of functions is stored, and removes the functions that were set before them. Functions of
  /// other threads that wait for this thread remain.
  ///
  /// - Parameters:
  ///   - stored: the functions.
  ///   - view: the view.
  ///   - hasWrittenVersion: whether the caller has committed the version after it called ``add(_:for:)``. If
  ///     another thread has deleted the view and its functions in between, the functions are added again, unless they
  ///     have been replaced.
  /// - Returns: all functions that the view had; see ``remove(_:for:)``.
  @discardableResult
  func didStore(_ stored: ViewFunctions, for view: View, hasWrittenVersion: Bool = false) -> [ViewFunctions] {
    change(view) { known in
      guard let index = known.firstIndex(where: { $0.functions === stored }) else {
        let isReplaced = known.contains { $0.functions.configuration == stored.configuration }
        // At the end, because the remaining functions were set after the deletion began.
        if hasWrittenVersion, !isReplaced { known.append(Entry(functions: stored, isPending: false)) }
        return
      }
      known[index].isPending = false
      known = Array(known[...index]) + Array(known[(index + 1)...]).filter { $0.isPending }
    }
  }

  /// Removes functions of a view.
  ///
  /// - Returns: all functions that the view had. A caller on the writing thread keeps them, so that this call does not
  ///   release the last reference to one that another thread removes at the same time.
  @discardableResult
  func remove(_ removed: [ViewFunctions], for view: View) -> [ViewFunctions] {
    change(view) { known in
      known.removeAll { entry in removed.contains { $0 === entry.functions } }
    }
  }

  /// Changes the functions of a view, and returns those that it had.
  @discardableResult
  private func change(_ view: View, _ body: (inout [Entry]) -> Void) -> [ViewFunctions] {
    let before = functions.withLock { functions -> [Entry] in
      let key = key(of: view)
      let before = functions[key] ?? []
      var after = before
      body(&after)
      functions[key] = after.isEmpty ? nil : after
      return before
    }
    // Released outside the lock by the caller, because a function may own objects whose deinitializers call this
    // database.
    return before.map(\.functions)
  }

  /// Returns the functions of a version of a view.
  func functions(of view: View, _ configuration: ViewConfiguration) -> ViewFunctions? {
    functions.withLock { functions in
      functions[key(of: view)]?.first { $0.functions.configuration == configuration }?.functions
    }
  }

  /// Returns the functions of all versions of a view.
  func allFunctions(of view: View) -> [ViewFunctions] {
    functions.withLock { functions in (functions[key(of: view)] ?? []).map(\.functions) }
  }

  /// Returns the functions that were set last.
  func latestFunctions(of view: View) -> ViewFunctions? { functions.withLock { $0[key(of: view)]?.first?.functions } }

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
