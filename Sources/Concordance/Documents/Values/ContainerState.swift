import DocumentStore
import JSONText

/// What a dictionary or an array holds: the text that it was read from, taken apart when it is first looked at, and the
/// items that were edited since.
///
/// Only one level is taken apart. What lies deeper stays text until it is asked for, so that an edit leaves everything else
/// as it was, byte for byte.
struct ContainerState: Sendable {
  let isDictionary: Bool
  let isMutable: Bool
  /// The text that every ``PropertyValue/text(_:)`` is a range of.
  private(set) var source: JSONSourceText
  /// Where blobs are read from.
  var database: Database?
  /// Whether the container may be an item of another one.
  var hasContainer = false
  /// The number of the last edit of this container itself.
  private(set) var stamp = EditStamp.none
  /// Whether the items differ from those of the text.
  private(set) var isEdited = false
  /// Why the text cannot be read. Such a document is not saved over what is left of it.
  private(set) var damage: String?
  /// The description of a failed setter, which makes a save fail.
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

  /// The item at a position, arrays and dictionaries as objects, which are remembered so that each is made once.
  mutating func item(at position: Int) -> PropertyValue? {
    scan()
    guard items.indices.contains(position) else { return nil }
    guard case .text(let range) = items[position] else { return items[position] }
    let value = read(range)
    if case .scalar = value { return value }
    items[position] = value
    return value
  }

  /// The number at a position, with its digits in the text.
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

  /// All items, in the order of ``allKeys()``.
  mutating func allItems() -> [PropertyValue] {
    scan()
    return items.indices.compactMap { position in
      guard case let item? = item(at: position) else { return nil }
      if case .removed = item { return nil }
      return item
    }
  }

  /// The containers in this one that may have been edited.
  var liveContainers: [any PropertyContainer] { items.compactMap(\.container) }

  /// The text of a container that was never edited, where it stands alone: a document's.
  var wholeText: [UInt8]? { isEdited || source.range != source.bytes.indices ? nil : source.bytes }

  /// The text that a program gave, which was checked then and not looked at since; with it the number of the last edit.
  var untouchedText: (text: [UInt8], stamp: UInt64)? {
    !isScanned && !isFromFile && !isEdited ? wholeText.map { ($0, stamp) } : nil
  }

  /// The first thing that JSON cannot hold, where it is and what it is.
  var unusable: (position: Int?, what: String)? {
    if let fault { return (nil, fault) }
    for (position, item) in items.enumerated() {
      if case .unusable(let what) = item { return (position, what) }
    }
    return nil
  }
}

// MARK: - Edits

// Edits return what they remove, so that it is released after the lock of the container: a blob may hold the last reference to
// a database, which ends listeners, and their closures are code of the program.

extension ContainerState {
  mutating func set(_ value: PropertyValue, forKey key: String) -> PropertyValue? {
    let position = position(of: key)
    didEdit()
    if let position { return exchange(position, value) }
    keys.append(key)
    items.append(value)
    return nil
  }

  private mutating func exchange(_ position: Int, _ value: PropertyValue) -> PropertyValue {
    let old = items[position]
    items[position] = value
    return old
  }

  mutating func removeItem(forKey key: String) -> PropertyValue? {
    guard let position = position(of: key) else { return nil }
    didEdit()
    keys.remove(key, at: position)
    let old = exchange(position, .removed)
    removedCount += 1
    if removedCount > items.count / 2 { closeGaps() }
    return old
  }

  /// Removed keys leave gaps, since all later positions would change with each; they are closed when they are many.
  private mutating func closeGaps() {
    let names = keys.all.compactMap { $0 }
    keys = PropertyKeys()
    for name in names { keys.append(name) }
    items.removeAll { if case .removed = $0 { true } else { false } }
    removedCount = 0
  }

  mutating func replaceItem(at position: Int, by value: PropertyValue) -> PropertyValue? {
    guard checkPosition(position, below: count) else { return nil }
    didEdit()
    return exchange(position, value)
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

  /// Takes the items of another text.
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

  /// Takes everything from the state of another container.
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

  /// A state for a copy that can be edited, of a text that was not edited. Where the text was set after the container
  /// was made, the copy is as different from what its own container was read from.
  func detachedCopy() -> ContainerState {
    var copy = ContainerState(
      source, isDictionary: isDictionary, isMutable: true, database: database, isFromFile: isFromFile)
    copy.stamp = stamp
    return copy
  }

  /// Replaces items by equivalent ones.
  mutating func mapItems(_ transform: (PropertyValue) -> PropertyValue) { items = items.map(transform) }

  private mutating func didEdit() {
    isEdited = true
    stamp = EditStamp.next()
  }

  private mutating func checkPosition(_ position: Int, below limit: Int) -> Bool {
    if (0..<limit).contains(position) { return true }
    fault =
      "was given the index \(position) when it had \(count) elements; set its elements anew with setData to save it"
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
      // Where a key stands twice the first counts, as for SQLite's `json_extract`.
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
      let state = part(range, isDictionary: true)
      return .dictionary(isMutable ? MutableDictionaryObject(state) : DictionaryObject(state))
    case UInt8(ascii: "["):
      let state = part(range, isDictionary: false)
      return .array(isMutable ? MutableArrayObject(state) : ArrayObject(state))
    default: return .scalar(source.scalar(range))
    }
  }

  private func part(_ range: Range<Int>, isDictionary: Bool) -> ContainerState {
    var state = ContainerState(
      JSONSourceText(source.bytes, range), isDictionary: isDictionary, isMutable: isMutable, database: database)
    state.hasContainer = true
    return state
  }
}
