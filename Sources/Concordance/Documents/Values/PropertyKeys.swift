/// The keys of a dictionary in order, found by their bytes, as JSON tells them apart: strings that are equal in Swift may be
/// spelt in two ways.
struct PropertyKeys: Sendable {
  /// The keys; nil where one was removed.
  private(set) var all: [String?] = []
  /// Positions by bytes, made when there are enough keys for it to be worth while.
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
