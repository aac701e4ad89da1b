public import JSONText
import TextIndex

extension StoredPatternIndex {
  /// How much else it holds than one property: the more, the more documents a pattern seems to match.
  public var breadth: Int {
    definition.fields.reduce(0) { $0 + ($1.content == .everyOtherString ? StoredPatternIndex.breadthOfAll : 1) }
  }

  private static let breadthOfAll = 1 << 20

  /// Whether the index holds the trigrams of every string at a path: of the property itself, of one around it, or of all.
  public func covers(_ path: PropertyPath) -> Bool {
    definition.fields.contains { field in
      switch field.content {
      case .everyOtherString: definition.excludedFromOtherStrings == nil
      case .property(let property):
        property.components.count <= path.components.count
          && zip(property.components, path.components).allSatisfy { indexed, asked in
            switch (indexed, asked) {
            case (.each, .position), (.each, .each): true
            // By their bytes, as JSON tells keys apart.
            case (.key(let one), .key(let other)): one.utf8.elementsEqual(other.utf8)
            case (.position(let one), .position(let other)): one == other
            default: false
            }
          }
      }
    }
  }
}
