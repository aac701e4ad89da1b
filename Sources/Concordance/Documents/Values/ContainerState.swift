import DocumentStore
import JSONText

/// The state of a dictionary or an array: the JSON text that it was read from, and its items.
///
/// The text is split into items on first access, one level only. Nested values remain text until they are accessed, so
/// an edit leaves all other values unchanged, byte for byte.
struct ContainerState: Sendable {
  let isDictionary: Bool
  let isMutable: Bool
  /// The text that the ranges of `PropertyValue/text(_:)` refer to.
  private(set) var source: JSONSourceText
  /// The database that the content of blobs is read from.
  var database: Database?
  /// Whether the container may be an item of another one.
  var hasContainer = false
  /// The stamp of the last edit of this container, not counting containers inside it.
  private(set) var stamp = EditStamp.none
  /// Whether the items differ from those of the text.
  private(set) var isEdited = false
  /// The reason why the text cannot be parsed. A damaged document cannot be saved, so that its text is not overwritten.
  private(set) var damage: String?
  /// The error message of a setter that failed. Saving fails as long as it is set.
  var fault: String?

  private(set) var keys = PropertyKeys()
  private(set) var items: [PropertyValue] = []
  private var removedCount = 0
  private var isScanned = false
  /// Whether the text comes from a file that may be damaged.
  private(set) var isFromFile: Bool

  init(
    _ source: JSONSourceText, isDictionary: Bool, isMutable: Bool, database: Database? = nil, isFromFile: Bool = false
  ) {
    self.source = source
    self.isDictionary = isDictionary
    self.isMutable = isMutable
    self.database = database
    self.isFromFile = isFromFile
  }

  var count: Int {
    mutating get {
      scan()
      return items.count - removedCount
    }
  }

  mutating func allKeys() -> [String] {
    scan()
    return keys.all.compactMap { $0 }
  }

  mutating func position(of key: String) -> Int? {
    scan()
    return keys.position(of: key)
  }

  /// Returns the item at the given position. Objects for arrays, dictionaries and blobs are stored, so that each is
  /// created only once.
  mutating func item(at position: Int) -> PropertyValue? {
    scan()
    guard items.indices.contains(position) else { return nil }
    guard case .text(let range) = items[position] else { return items[position] }
    let value = read(range)
    if case .scalar = value { return value }
    items[position] = value
    return value
  }

  /// Returns the digits of the number at the given position, as they are in the text; nil for an item without a number.
  mutating func digits(at position: Int) -> String? {
    scan()
    guard items.indices.contains(position) else { return nil }
    switch items[position] {
    case .number(let digits): return digits
    case .text(let range): return String(decoding: source.bytes[range], as: UTF8.self)
    case .scalar, .dictionary, .array, .blob, .removed, .unusable: return nil
    }
  }

  mutating func item(forKey key: String) -> PropertyValue? { position(of: key).flatMap { item(at: $0) } }

  /// Whether blobs are read from another database.
  func isFromDatabase(otherThan database: Database) -> Bool { self.database.map { $0 !== database } ?? false }

  /// Returns all items, in the order of `allKeys()`.
  mutating func allItems() -> [PropertyValue] {
    scan()
    return items.indices.compactMap { position in
      guard case let item? = item(at: position) else { return nil }
      if case .removed = item { return nil }
      return item
    }
  }

  /// The items that are container objects. Only these may have been edited.
  var liveContainers: [any PropertyContainer] { items.compactMap(\.container) }

  /// Whether any item is a container object.
  var hasLiveContainers: Bool {
    items.contains { item in
      switch item {
      case .dictionary, .array: true
      case .text, .scalar, .number, .blob, .removed, .unusable: false
      }
    }
  }

  /// The text of the container if its items were not edited and the text is not part of a larger one.
  var wholeText: [UInt8]? { isEdited || source.range != source.bytes.indices ? nil : source.bytes }

  /// The text, if no item has been accessed, so that no container inside this one can have been edited.
  var unreadText: [UInt8]? { isScanned ? nil : wholeText }

  /// The text that the program passed, if no item has been accessed since then, and the stamp of the last edit. The
  /// text was checked when it was passed.
  var untouchedText: (text: [UInt8], stamp: UInt64)? {
    !isScanned && !isFromFile && !isEdited ? wholeText.map { ($0, stamp) } : nil
  }

  /// The position and description of the first value that JSON cannot represent. The position is nil for a failed
  /// setter.
  var unusable: (position: Int?, description: String)? {
    if let fault { return (nil, fault) }
    for (position, item) in items.enumerated() {
      if case .unusable(let description) = item { return (position, description) }
    }
    return nil
  }
}

// MARK: - Edits

// Edits return the removed values, so that the caller releases them outside the lock of the container. A blob may hold
// the last reference to a database, whose deinitializer releases the closures of listeners and may thereby run
// application code.

extension ContainerState {
  mutating func set(_ value: PropertyValue, forKey key: String) -> PropertyValue? {
    let position = position(of: key)
    didEdit()
    if let position { return replaceStored(position, value) }
    keys.append(key)
    items.append(value)
    return nil
  }

  private mutating func replaceStored(_ position: Int, _ value: PropertyValue) -> PropertyValue {
    let old = items[position]
    items[position] = value
    return old
  }

  mutating func removeItem(forKey key: String) -> PropertyValue? {
    guard let position = position(of: key) else { return nil }
    didEdit()
    keys.remove(key, at: position)
    let old = replaceStored(position, .removed)
    removedCount += 1
    if removedCount > items.count / 2 { removeGaps() }
    return old
  }

  /// Removes the gaps that removed keys have left. A removal leaves a gap, because closing it would change all later
  /// positions; gaps are removed when they make up more than half of the items.
  private mutating func removeGaps() {
    let names = keys.all.compactMap { $0 }
    keys = PropertyKeys()
    for name in names { keys.append(name) }
    items.removeAll { if case .removed = $0 { true } else { false } }
    removedCount = 0
  }

  mutating func replaceItem(at position: Int, by value: PropertyValue) -> PropertyValue? {
    guard checkPosition(position, below: count) else { return nil }
    didEdit()
    return replaceStored(position, value)
  }

  mutating func insert(_ value: PropertyValue, at position: Int) {
    guard checkPosition(position, below: count + 1) else { return }
    didEdit()
    items.insert(value, at: position)
  }

  mutating func removeItem(at position: Int) -> PropertyValue? {
    guard checkPosition(position, below: count) else { return nil }
    didEdit()
    return items.remove(at: position)
  }

  /// Replaces all items.
  mutating func replaceAll(keys: [String], items: [PropertyValue]) -> [PropertyValue] {
    let old = self.items
    isScanned = true
    didEdit()
    removedCount = 0
    fault = nil
    damage = nil
    self.keys = PropertyKeys()
    for key in keys { self.keys.append(key) }
    self.items = items
    return old
  }

  /// Replaces all items with those of a JSON object or array.
  mutating func replaceAll(by source: JSONSourceText) -> [PropertyValue] {
    let old = items
    self.source = source
    isFromFile = false
    removedCount = 0
    stamp = EditStamp.next()
    isEdited = false
    isScanned = false
    fault = nil
    damage = nil
    keys = PropertyKeys()
    items = []
    return old
  }

  /// Replaces all items with those of another container.
  mutating func replaceAll(by other: ContainerState) -> ContainerState {
    let old = self
    source = other.source
    database = other.database ?? database
    (isEdited, isScanned, isFromFile) = (other.isEdited, other.isScanned, other.isFromFile)
    (damage, fault) = (other.damage, other.fault)
    (keys, items, removedCount) = (other.keys, other.items, other.removedCount)
    stamp = EditStamp.next()
    return old
  }

  /// Returns the state of an editable copy of a container whose items were not edited.
  ///
  /// The stamp is copied: if the text was set after the container was created, the copy also counts as edited.
  func detachedCopy() -> ContainerState {
    var copy = ContainerState(
      source, isDictionary: isDictionary, isMutable: true, database: database, isFromFile: isFromFile)
    copy.stamp = stamp
    return copy
  }

  /// Removes and returns all items of a container that is being deallocated.
  mutating func takeItems() -> [PropertyValue] {
    let taken = items
    items = []
    return taken
  }

  /// Replaces items with equivalent ones. This does not count as an edit.
  mutating func mapItems(_ transform: (PropertyValue) -> PropertyValue) { items = items.map(transform) }

  private mutating func didEdit() {
    isEdited = true
    stamp = EditStamp.next()
  }

  private mutating func checkPosition(_ position: Int, below limit: Int) -> Bool {
    if (0..<limit).contains(position) { return true }
    fault =
      "was edited at index \(position) when it had \(count) elements; set all elements again with setData before saving"
    return false
  }
}

// MARK: - Reading the text

extension ContainerState {
  private mutating func scan() {
    guard !isScanned else { return }
    isScanned = true
    if isFromFile {
      do {
        try JSONParser.withShared { parser in try source.bytes.withUnsafeBytes { _ = try parser.parse($0) } }
      } catch {
        damage = "\(error)"
        return
      }
    }
    guard isDictionary else {
      source.forEachItem { _, value in items.append(.text(value)) }
      return
    }
    source.forEachItem { key, value in
      // If a key is repeated, its first occurrence is used, as in SQLite's `json_extract`.
      guard keys.position(of: key) == nil else { return }
      keys.append(key)
      items.append(.text(value))
    }
  }

  private func read(_ range: Range<Int>) -> PropertyValue {
    switch source.firstByte(range) {
    case UInt8(ascii: "{"):
      if let properties = source.blobProperties(range), let blob = Blob.stored(properties, in: database) {
        return .blob(blob, range)
      }
      let state = nestedState(range, isDictionary: true)
      return .dictionary(isMutable ? MutableDictionaryObject(state) : DictionaryObject(state))
    case UInt8(ascii: "["):
      let state = nestedState(range, isDictionary: false)
      return .array(isMutable ? MutableArrayObject(state) : ArrayObject(state))
    default: return .scalar(source.scalar(range))
    }
  }

  private func nestedState(_ range: Range<Int>, isDictionary: Bool) -> ContainerState {
    var state = ContainerState(
      JSONSourceText(source.bytes, range), isDictionary: isDictionary, isMutable: isMutable, database: database)
    state.hasContainer = true
    return state
  }
}
