package import JSONText

/// Finds the strings of a field in a document, always in the same order, because term positions depend on it.
package struct FieldWalker {
  /// Receives a string of a field, in UTF-8, and its path, which is empty unless paths are tracked.
  package typealias Visitor = (UnsafeRawBufferPointer, [PropertyPath.Component]) throws -> Void

  private let fields: [FullTextField]
  /// The paths of the property fields, whose values the field `*` excludes.
  private let propertyPaths: [[PropertyPath.Component]]
  /// Whether visitors receive paths. Indexing does not need them, and building them takes longer than finding strings.
  private let tracksPaths: Bool
  /// The documents for which the field `*` is empty; nil for none.
  private let excluded: DocumentShape?

  init(_ definition: FullTextDefinition, tracksPaths: Bool) {
    self.init(
      definition.fields, excluding: definition.excludedFromOtherStrings, tracksPaths: tracksPaths)
  }

  package init(_ fields: [FullTextField], excluding excluded: DocumentShape?, tracksPaths: Bool) {
    self.fields = fields
    self.excluded = excluded
    self.tracksPaths = tracksPaths
    propertyPaths = fields.compactMap {
      if case .property(let path) = $0.content { path.components } else { nil }
    }
  }

  /// Calls `visit` with each string of a field; numbers and Booleans of properties become strings.
  package func forEachText(of column: Int, in root: JSONElement, _ visit: Visitor) throws {
    switch fields[column].content {
    case .property(let path):
      try path.forEachElement(in: root) { element, steps in
        var steps = steps
        try flatten(element, &steps, stringsOnly: false, visit)
      }
    case .everyOtherString:
      if let excluded, excluded.matches(root) { return }
      var steps: [PropertyPath.Component] = []
      try flatten(root, &steps, stringsOnly: true, visit)
    }
  }

  private func flatten(
    _ element: JSONElement, _ steps: inout [PropertyPath.Component], stringsOnly: Bool, _ visit: Visitor
  ) throws {
    switch element.kind {
    case .string:
      if let bytes = element.stringBytes { try visit(bytes, steps) }
    case .object:
      guard tracksPaths || stringsOnly && !propertyPaths.isEmpty else {
        return try element.forEachMember { try flatten($1, &steps, stringsOnly: stringsOnly, visit) }
      }
      try element.forEachMember { key, value in
        steps.append(.key(String(decoding: key, as: UTF8.self)))
        defer { steps.removeLast() }
        if stringsOnly, belongsToProperty(steps) { return }
        try flatten(value, &steps, stringsOnly: stringsOnly, visit)
      }
    case .array:
      var position = 0
      try element.forEachElement { value in
        steps.append(.position(position))
        defer { steps.removeLast() }
        position += 1
        if stringsOnly, belongsToProperty(steps) { return }
        try flatten(value, &steps, stringsOnly: stringsOnly, visit)
      }
    case .int64, .uint64, .double, .boolean:
      if !stringsOnly { try visitText(FieldWalker.text(of: element), steps, visit) }
    case .null: break
    }
  }

  private func visitText(_ text: String, _ steps: [PropertyPath.Component], _ visit: Visitor) throws {
    var text = text
    try text.withUTF8 { try visit(UnsafeRawBufferPointer($0), steps) }
  }

  private func belongsToProperty(_ steps: [PropertyPath.Component]) -> Bool {
    propertyPaths.contains { path in
      path.count == steps.count
        && zip(path, steps).allSatisfy { pattern, step in
          switch (pattern, step) {
          case (.each, .position): true
          // JSON keys are compared as bytes: strings that are equal in Swift may be encoded differently.
          case (.key(let one), .key(let other)): one.utf8.elementsEqual(other.utf8)
          default: pattern == step
          }
        }
    }
  }

  private static func text(of element: JSONElement) -> String {
    switch element.kind {
    case .int64: element.int64.map { String($0) } ?? ""
    case .uint64: element.uint64.map { String($0) } ?? ""
    case .double: element.double.map { String($0) } ?? ""
    case .boolean: element.boolean == true ? "T" : "F"
    default: ""
    }
  }
}
