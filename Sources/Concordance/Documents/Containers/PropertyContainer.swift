import DocumentStore
import JSONText

/// A dictionary or an array: an object with identity, whose edits are seen by every document that holds it.
///
/// Nobody is told of an edit. Whoever needs to know asks for the ``editStamp`` of the tree, so that an object may be in
/// any number of documents.
protocol PropertyContainer: AnyObject, Sendable {
  /// Calls `body` with the state, under its lock. `body` must not touch another container.
  func withState<T>(_ body: (inout ContainerState) throws -> T) rethrows -> T
}

extension PropertyContainer {
  /// The number of the last edit of this container or of one inside it.
  var editStamp: UInt64 {
    var highest = EditStamp.none
    forEachContainer { container, _ in
      highest = max(highest, container.withState { $0.stamp })
      return true
    }
    return highest
  }

  /// Calls `body` with this container and all inside it, which were looked at or set, and how deep they are; not by
  /// recursion, for which a program can nest them too deep. `body` returns whether to go on.
  private func forEachContainer(_ body: (any PropertyContainer, _ depth: Int) -> Bool) {
    guard body(self, 1) else { return }
    // Most have none.
    var waiting = withState { $0.liveContainers }.map { (container: $0, depth: 2) }
    while let (container, depth) = waiting.popLast() {
      guard body(container, depth) else { return }
      waiting += container.withState { $0.liveContainers }.map { ($0, depth + 1) }
    }
  }

  /// Whether the containers are nested deeper than a parser reads them.
  private var isTooDeep: Bool {
    var isTooDeep = false
    forEachContainer { _, depth in
      isTooDeep = depth > DocumentBody.maximumDepth
      return !isTooDeep
    }
    return isTooDeep
  }

  /// Writes the container as JSON: its text where nothing was edited. What is nested too deep to be saved is left out.
  func write(to writer: inout JSONWriter) {
    if isTooDeep { return writer.writeNull() }
    writeItems(to: &writer)
  }

  func writeItems(to writer: inout JSONWriter) {
    let state = withState { $0 }
    if state.isAsRead { return writer.write(rawJSON: state.source.slice) }
    guard state.isDictionary else {
      return writer.array { writer in
        for item in state.items { item.write(to: &writer, source: state.source) }
      }
    }
    writer.object { writer in
      for (key, item) in zip(state.keys.all, state.items) {
        // A gap has no key.
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

  /// The text that was read, where nothing of it was edited and it is not a part of another.
  var wholeText: [UInt8]? {
    let state = withState { $0 }
    return state.isAsRead ? state.wholeText : nil
  }

  /// The same, where a program gave the text, which was checked then.
  var checkedText: [UInt8]? { withState { $0.isFromFile } ? nil : wholeText }

  var jsonText: String { String(decoding: jsonBytes, as: UTF8.self) }

  /// Whether an object is this one or lies anywhere inside it.
  func holds(_ other: any PropertyContainer) -> Bool {
    var isThere = false
    forEachContainer { container, _ in
      isThere = container === other
      return !isThere
    }
    return isThere
  }

  /// What to set for a value that a program gives; a container that would hold itself cannot be kept.
  func acceptable(_ value: PropertyValue) -> PropertyValue {
    guard let container = value.container else { return value }
    container.withState { $0.hasContainer = true }
    // What was never put anywhere is not inside of anything.
    guard self === container || withState({ $0.hasContainer }), container.holds(self) else { return value }
    return .unusable("an object that holds itself")
  }

  /// What cannot be saved: the path to it and what it is.
  func fault() -> (path: [PropertyPath.Component], what: String)? {
    if isTooDeep {
      return ([], "holds arrays and dictionaries nested deeper than \(DocumentBody.maximumDepth) levels")
    }
    return fault(at: [])
  }

  private func fault(at path: [PropertyPath.Component]) -> (path: [PropertyPath.Component], what: String)? {
    let (damage, unusable, keys, items) = withState { ($0.damage, $0.unusable, $0.keys.all, $0.items) }
    func step(_ position: Int) -> PropertyPath.Component {
      keys.isEmpty ? .position(position) : .key(keys[position] ?? "")
    }
    if let damage { return (path, damage) }
    if let unusable, let position = unusable.position {
      return (
        path + [step(position)],
        "holds \(unusable.what), which cannot be saved; use a string, a finite number, a boolean, a date, null, a blob, an "
          + "array or a dictionary"
      )
    }
    if let unusable { return (path, unusable.what) }
    for (position, item) in items.enumerated() {
      if let found = item.container?.fault(at: path + [step(position)]) { return found }
    }
    return nil
  }

  /// Calls `body` with each blob that was set since the text was read, or that came from another database.
  func forEachNewBlob(for database: Database, _ body: (Blob) throws -> Void) rethrows {
    // Blobs deep in the text of another database have to be found, and come along.
    let items = withState { state in
      if let owningDatabase = state.database, owningDatabase !== database { return state.allItems() }
      return state.items
    }
    let isElsewhere = withState { $0.database.map { $0 !== database } ?? false }
    for item in items {
      if case .blob(let blob, let range) = item, range == nil || isElsewhere { try body(blob) }
      try item.container?.forEachNewBlob(for: database, body)
    }
  }

  /// Notes where blobs are read from.
  func setDatabase(_ database: Database) {
    let inner = withState { state in
      if state.database !== database {
        state.database = database
        // Blobs that were made before it was known where their content is are made again.
        state.mapItems { item in
          if case .blob(_, let range?) = item { .text(range) } else { item }
        }
      }
      return state.liveContainers
    }
    for container in inner { container.setDatabase(database) }
  }

  /// A state for a copy that can be edited, and shares no object with this one but blobs.
  func mutableState() -> ContainerState {
    let state = withState { $0 }
    if state.isAsRead { return state.detachedCopy() }
    var copy = state
    copy.mapItems { $0.mutableCopy() }
    return copy
  }

  /// Takes the items of another container of the same kind, which is not used any more.
  func takeProperties(of other: Self) {
    let taken = other.withState { $0 }
    _ = withState { $0.replaceAll(by: taken) }
  }

  /// The plain value of each item, numbers as `NSNumber`.
  func plainItems() -> (keys: [String], values: [Any]) {
    let (keys, items) = withState { ($0.allKeys(), $0.allItems()) }
    return (keys, items.map { ($0.container.map { $0.plainValue() } ?? $0.castableValue) ?? JSONValue.null.swiftValue })
  }

  /// The container as a Swift dictionary or array, all the way down. Blobs stay objects.
  func plainValue() -> Any {
    let (keys, values) = plainItems()
    guard self is DictionaryObject else { return values }
    return Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
  }

  /// The container as a tree of values, for comparing.
  func comparableValue() -> ComparableValue {
    let (keys, items) = withState { ($0.allKeys(), $0.allItems()) }
    let values = items.map { ComparableValue($0) }
    guard self is DictionaryObject else { return .array(values) }
    return .dictionary(
      Dictionary(zip(keys.map { Array($0.utf8) }, values), uniquingKeysWith: { first, _ in first }))
  }
}

extension ContainerState {
  /// Whether the text still says all: neither this container nor one inside it was edited. Asks other containers, so it is
  /// for a copy of the state, not under the lock.
  fileprivate var isAsRead: Bool {
    !isEdited && liveContainers.allSatisfy { $0.editStamp == EditStamp.none }
  }
}

extension PropertyValue {
  /// Returns a copy of the container that can be edited.
  fileprivate func mutableCopy() -> PropertyValue {
    switch self {
    case .dictionary(let dictionary): .dictionary(dictionary.toMutable())
    case .array(let array): .array(array.toMutable())
    case .text, .scalar, .number, .blob, .removed, .unusable: self
    }
  }
}
