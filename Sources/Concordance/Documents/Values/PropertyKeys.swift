/// The ordered keys of a dictionary.
///
/// Keys are compared by their UTF-8 bytes, as in JSON. Swift strings that are equal may have different bytes, because
/// they are compared by canonical equivalence.
struct PropertyKeys: Sendable {
  /// The keys; nil for a removed key.
  private(set) var all: [String?] = []
  /// Positions by the bytes of the keys. Empty for up to `smallCount` keys, for which a linear search is faster.
  private var positions: [[UInt8]: Int] = [:]

  private static let smallCount = 12

  func position(of key: String) -> Int? {
    guard all.count > PropertyKeys.smallCount else {
      return all.firstIndex { $0.map { PropertyKeys.areSame($0, key) } ?? false }
    }
    return positions[Array(key.utf8)]
  }

  mutating func append(_ key: String) {
    all.append(key)
    if all.count == PropertyKeys.smallCount + 1 {
      for (position, key) in all.enumerated() {
        if let key { positions[Array(key.utf8)] = position }
      }
    } else if all.count > PropertyKeys.smallCount {
      positions[Array(key.utf8)] = all.count - 1
    }
  }

  /// Removes a key and leaves a gap at its position.
  mutating func remove(_ key: String, at position: Int) {
    all[position] = nil
    if all.count > PropertyKeys.smallCount { positions[Array(key.utf8)] = nil }
  }

  private static func areSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8)
  }
}
