public import JSONText
import TextIndex

extension StoredPatternIndex {
  /// A measure of the number of properties that the index covers. Broader indexes return more false candidates.
  public var breadth: Int {
    definition.fields.reduce(0) { $0 + ($1.content == .everyOtherString ? StoredPatternIndex.breadthOfAll : 1) }
  }

  private static let breadthOfAll = 1 << 20

  /// Whether the index contains the elements of arrays but not the arrays themselves: `tags[]`.
  public var coversElements: Bool {
    definition.fields.contains { field in
      if case .property(let path) = field.content { path.components.contains(.each) } else { false }
    }
  }

  /// Returns whether the index contains the trigrams of every string at a path, because it covers the property, an
  /// enclosing property, or all strings.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - includingMembers: whether `[]` in the path also stands for the members of an object, as `ANY v IN tags` does.
  ///     An index on `tags[]` contains only the elements of arrays; an index on `tags` contains the members too.
  public func covers(_ path: PropertyPath, includingMembers: Bool = false) -> Bool {
    definition.fields.contains { field in
      switch field.content {
      case .everyOtherString: definition.excludedFromOtherStrings == nil
      case .property(let property):
        property.components.count <= path.components.count
          && zip(property.components, path.components).allSatisfy { indexed, requested in
            switch (indexed, requested) {
            case (.each, .position): true
            case (.each, .each): !includingMembers
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
