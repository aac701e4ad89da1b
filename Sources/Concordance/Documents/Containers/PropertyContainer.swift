import DocumentStore
import JSONText

/// A dictionary or an array: a reference type whose edits are visible in every document that contains it.
///
/// Edits send no notifications: callers that need to detect an edit compare the `editStamp` of the tree. Therefore, a
/// container needs no reference to its parents and can be in any number of documents.
protocol PropertyContainer: AnyObject, Sendable {
  /// Calls `body` with the state, under the lock of the container. `body` must not access another container.
  func withState<T>(_ body: (inout ContainerState) throws -> T) rethrows -> T
}

extension PropertyContainer {
  /// The stamp of the last edit of this container or of a container inside it.
  var editStamp: UInt64 {
    var highest = EditStamp.none
    forEachContainer { container, _ in
      highest = max(highest, container.withState { $0.stamp })
      return true
    }
    return highest
  }

  /// Calls `body` with this container and with every container inside it that exists as an object, along with its
  /// depth. `body` returns whether to continue.
  ///
  /// It does not recurse, because a program can nest containers so deeply that the stack would overflow.
  private func forEachContainer(_ body: (any PropertyContainer, _ depth: Int) -> Bool) {
    guard body(self, 1) else { return }
    var stack = withState { $0.liveContainers }.map { (container: $0, depth: 2) }
    while let (container, depth) = stack.popLast() {
      guard body(container, depth) else { return }
      stack += container.withState { $0.liveContainers }.map { ($0, depth + 1) }
    }
  }

  /// Whether the containers are nested deeper than the parser accepts.
  private var isTooDeep: Bool {
    var isTooDeep = false
    forEachContainer { _, depth in
      isTooDeep = depth > DocumentBody.maximumDepth
      return !isTooDeep
    }
    return isTooDeep
  }

  /// Writes the container as JSON. Unedited parts are copied from their text. A container that is nested too deeply to
  /// be saved is written as null.
  func write(to writer: inout JSONWriter) {
    if isTooDeep { return writer.writeNull() }
    writeItems(to: &writer)
  }

  func writeItems(to writer: inout JSONWriter) {
    let state = withState { $0 }
    if state.isUnedited { return writer.write(rawJSON: state.source.slice) }
    guard state.isDictionary else {
      return writer.array { writer in
        for item in state.items { item.write(to: &writer, source: state.source) }
      }
    }
    writer.object { writer in
      for (key, item) in zip(state.keys.all, state.items) {
        // Removed properties have no key.
        guard let key else { continue }
        writer.member(key) { item.write(to: &$0, source: state.source) }
      }
    }
  }

  /// The JSON text.
  var jsonBytes: [UInt8] {
    if let text = wholeText { return text }
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The text of the container if nothing was edited and the text is not part of a larger one.
  var wholeText: [UInt8]? {
    if let text = withState({ $0.unreadText }) { return text }
    let state = withState { $0 }
    return state.isUnedited ? state.wholeText : nil
  }

  /// `wholeText` if the program passed it, in which case it has already been checked; nil if it was read from a file.
  var checkedText: [UInt8]? { withState { $0.isFromFile } ? nil : wholeText }

  var jsonText: String { String(decoding: jsonBytes, as: UTF8.self) }

  /// Returns whether a container is this container or is nested in it at any depth.
  private func isOrContains(_ other: any PropertyContainer) -> Bool {
    var isFound = false
    forEachContainer { container, _ in
      isFound = container === other
      return !isFound
    }
    return isFound
  }

  /// Returns `value`, or `PropertyValue/unusable(_:)` if setting it would make this container contain itself.
  func acceptable(_ value: PropertyValue) -> PropertyValue {
    guard let container = value.container else { return value }
    container.withState { $0.hasContainer = true }
    // The search is needed only if this container may be inside another one.
    guard self === container || withState({ $0.hasContainer }), container.isOrContains(self) else { return value }
    return .unusable("an object that contains itself")
  }

  /// Returns the path of the first value that cannot be saved, and the reason; nil if all values can be saved.
  func fault() -> (path: [PropertyPath.Component], reason: String)? {
    if isTooDeep {
      return ([], "contains arrays and dictionaries nested deeper than \(DocumentBody.maximumDepth) levels")
    }
    return fault(at: [])
  }

  private func fault(at path: [PropertyPath.Component]) -> (path: [PropertyPath.Component], reason: String)? {
    let (damage, unusable, keys, items) = withState { ($0.damage, $0.unusable, $0.keys.all, $0.items) }
    func step(_ position: Int) -> PropertyPath.Component {
      keys.isEmpty ? .position(position) : .key(keys[position] ?? "")
    }
    if let damage { return (path, damage) }
    if let unusable, let position = unusable.position {
      return (
        path + [step(position)],
        "contains \(unusable.description), which cannot be saved; use a string, a finite number, a boolean, a date, null, "
          + "a blob, an array or a dictionary"
      )
    }
    if let unusable { return (path, unusable.description) }
    for (position, item) in items.enumerated() {
      if let found = item.container?.fault(at: path + [step(position)]) { return found }
    }
    return nil
  }

  /// Calls `body` with each blob that was set after the text was read, or whose content is in another database.
  ///
  /// Blobs that are nested too deeply to be saved are left out.
  func forEachNewBlob(for database: Database, depth: Int = 1, _ body: (Blob) throws -> Void) rethrows {
    guard depth <= DocumentBody.maximumDepth else { return }
    let (items, isFromOtherDatabase) = withState { state -> ([PropertyValue], Bool) in
      // In text from another database, blobs at any depth must be found, because their content must be copied.
      let isFromOtherDatabase = state.isFromDatabase(otherThan: database)
      return (isFromOtherDatabase ? state.allItems() : state.items, isFromOtherDatabase)
    }
    for item in items {
      if case .blob(let blob, let range) = item, range == nil || isFromOtherDatabase { try body(blob) }
      try item.container?.forEachNewBlob(for: database, depth: depth + 1, body)
    }
  }

  /// Sets the database that the content of blobs is read from.
  ///
  /// - Parameter replacesOthers: whether to change containers whose blobs are read from another database.
  /// - Returns: the previous states of the changed containers that refer to a database or to blobs. They may hold the
  ///   last reference to another database, whose deinitializer may run application code, so they are not released under
  ///   the lock of a container.
  @discardableResult
  func setDatabase(_ database: Database, replacesOthers: Bool = true) -> [ContainerState] {
    var replaced: [ContainerState] = []
    forEachContainer { container, _ in
      let previous = container.withState { state -> ContainerState? in
        guard state.database !== database, replacesOthers || state.database == nil else { return nil }
        let hasReadBlobs = state.items.contains { if case .blob(_, _?) = $0 { true } else { false } }
        // Most saves change documents without a database and blobs, whose states refer to no database.
        let previous: ContainerState? = state.database != nil || hasReadBlobs ? state : nil
        state.database = database
        // Blob objects that were created from the text are discarded, so that they are created again with the new
        // database.
        if hasReadBlobs {
          state.mapItems { item in
            if case .blob(_, let range?) = item { .text(range) } else { item }
          }
        }
        return previous
      }
      if let previous { replaced.append(previous) }
      return true
    }
    return replaced
  }

  /// Whether the blobs of this container or of one inside it are read from another database.
  private func isFromDatabase(otherThan database: Database) -> Bool {
    var isFound = false
    forEachContainer { container, _ in
      isFound = container.withState { $0.isFromDatabase(otherThan: database) }
      return !isFound
    }
    return isFound
  }

  /// Replaces other databases after the transaction that stores the content of blobs is committed. If it is rolled
  /// back, the content is still read from them.
  ///
  /// If the container was edited after it was saved, nothing is replaced, because blobs that were added since are not
  /// stored. The next save stores them and replaces the databases.
  ///
  /// The completion handler refers to the container weakly, so that a batch does not keep all its documents in memory.
  ///
  /// - Parameter savedStamp: the stamp of the last edit that was saved.
  func setDatabase(_ database: Database, whenCommitted transaction: WriteTransaction, savedStamp: UInt64) {
    guard isFromDatabase(otherThan: database) else { return }
    transaction.onCompletion { [weak self] isCommitted in
      guard isCommitted, let self, self.editStamp == savedStamp else { return }
      let replaced = Locked<[ContainerState]?>(self.setDatabase(database))
      database.engine.releaseOnAnotherThread(replaced)
    }
  }

  /// Returns the state of an editable copy, which shares no object with this container except blobs. A container that
  /// is nested too deeply to be saved becomes a value that cannot be saved.
  ///
  /// - Parameter depth: the depth of this container in the one that is copied.
  func mutableState(depth: Int = 1) -> ContainerState {
    let state = withState { $0 }
    if state.isUnedited { return state.detachedCopy() }
    var copy = state
    copy.mapItems { $0.mutableCopy(depth: depth + 1) }
    return copy
  }

  /// Replaces all items with those of another container of the same type, which must not be used afterwards.
  func moveProperties(from other: Self) {
    let state = other.withState { $0 }
    _ = withState { $0.replaceAll(by: state) }
  }

  /// Returns the keys and the items as Swift values, with numbers as `NSNumber`. Containers that are nested too deeply
  /// to be saved become null.
  ///
  /// - Parameter depth: the depth of this container in the one that is converted.
  func plainItems(depth: Int = 1) -> (keys: [String], values: [Any]) {
    let (keys, items) = withState { ($0.allKeys(), $0.allItems()) }
    let values = items.map { item -> Any in
      guard let container = item.container else { return item.castableValue ?? JSONValue.null.swiftValue }
      guard depth < DocumentBody.maximumDepth else { return JSONValue.null.swiftValue }
      return container.plainValue(depth: depth + 1)
    }
    return (keys, values)
  }

  /// Converts the container and all nested containers to Swift dictionaries and arrays. Blobs remain ``Blob`` objects.
  func plainValue(depth: Int = 1) -> Any {
    let (keys, values) = plainItems(depth: depth)
    guard self is DictionaryObject else { return values }
    return Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
  }

  /// Returns the container as a tree of values, for comparisons. Containers that are nested too deeply to be saved are
  /// compared as null.
  ///
  /// - Parameter depth: the depth of this container in the one that is compared.
  func comparableValue(depth: Int = 1) -> ComparableValue {
    guard depth <= DocumentBody.maximumDepth else { return .null }
    let (keys, items) = withState { ($0.allKeys(), $0.allItems()) }
    let values = items.map { ComparableValue($0, depth: depth + 1) }
    guard self is DictionaryObject else { return .array(values) }
    return .dictionary(
      Dictionary(zip(keys.map { Array($0.utf8) }, values), uniquingKeysWith: { first, _ in first }))
  }
}

extension ContainerState {
  /// Whether neither this container nor any container inside it has been edited, so the text is current.
  ///
  /// It locks the nested containers, so it must be called on a copy of the state, without holding the lock.
  fileprivate var isUnedited: Bool {
    !isEdited && liveContainers.allSatisfy { $0.editStamp == EditStamp.none }
  }
}

extension PropertyValue {
  /// Returns the value with an editable copy of its container, which is at the given depth.
  fileprivate func mutableCopy(depth: Int) -> PropertyValue {
    switch self {
    case .dictionary where depth > DocumentBody.maximumDepth: .tooDeep
    case .array where depth > DocumentBody.maximumDepth: .tooDeep
    case .dictionary(let dictionary): .dictionary(MutableDictionaryObject(dictionary.mutableState(depth: depth)))
    case .array(let array): .array(MutableArrayObject(array.mutableState(depth: depth)))
    case .text, .scalar, .number, .blob, .removed, .unusable: self
    }
  }
}
