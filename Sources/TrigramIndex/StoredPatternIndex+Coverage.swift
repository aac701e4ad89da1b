public import JSONText
import TextIndex

extension StoredPatternIndex {
  /// A measure of the number of properties that the index covers. Broader indexes return more false candidates.
  public var breadth: Int {
    definition.fields.reduce(0) { $0 + ($1.content == .everyOtherString ? StoredPatternIndex.breadthOfAll : 1) }
  }

  private static let breadthOfAll = 1 << 20

  /// Returns whether the index contains the trigrams of every string at a path, because it covers the property, an
  /// enclosing property, or all strings.
  public func covers(_ path: PropertyPath) -> Bool {
    definition.fields.contains { field in
      switch field.content {
      case .everyOtherString: definition.excludedFromOtherStrings == nil
      case .property(let property):
        property.components.count <= path.components.count
          && zip(property.components, path.components).allSatisfy { indexed, requested in
            switch (indexed, requested) {
            case (.each, .position), (.each, .each): true
            // JSON keys are compared by their bytes.
            case (.key(let one), .key(let other)): one.utf8.elementsEqual(other.utf8)
            case (.position(let one), .position(let other)): one == other
            default: false
            }
          }
      }
    }
  }
}
