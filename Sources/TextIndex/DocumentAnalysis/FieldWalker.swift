package import JSONText

/// Finds the strings of a field in a document, always in the same order, because term positions depend on it.
package struct FieldWalker {
  /// Receives a string of a field, in UTF-8, and its path, which is empty unless paths are tracked.
  package typealias Visitor = (UnsafeRawBufferPointer, [PropertyPath.Component]) throws -> Void

  private let fields: [FullTextField]
  /// The paths of the property fields, whose values the field `*` excludes.
  private let propertyPaths: ExcludedPaths
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
    propertyPaths = ExcludedPaths(
      fields.compactMap { field -> ArraySlice<PropertyPath.Component>? in
        if case .property(let path) = field.content { path.components[...] } else { nil }
      })
  }

  /// Calls `visit` with each string of a field; numbers and Booleans of properties become strings.
  package func forEachText(of column: Int, in root: JSONElement, _ visit: Visitor) throws {
    switch fields[column].content {
    case .property(let path):
      try path.forEachElement(in: root) { element, steps in
        var steps = steps
        try flatten(element, &steps, excluding: ExcludedPaths(), stringsOnly: false, visit)
      }
    case .everyOtherString:
      if let excluded, excluded.matches(root) { return }
      var steps: [PropertyPath.Component] = []
      try flatten(root, &steps, excluding: propertyPaths, stringsOnly: true, visit)
    }
  }

  private func flatten(
    _ element: JSONElement, _ steps: inout [PropertyPath.Component], excluding paths: ExcludedPaths, stringsOnly: Bool,
    _ visit: Visitor
  ) throws {
    switch element.kind {
    case .string:
      if let bytes = element.stringBytes { try visit(bytes, steps) }
    case .object:
      guard tracksPaths || !paths.isEmpty else {
        return try element.forEachMember {
          try flatten($1, &steps, excluding: paths, stringsOnly: stringsOnly, visit)
        }
      }
      try element.forEachMember { key, value in
        guard let rest = paths.descending(toKey: key) else { return }
        if tracksPaths { steps.append(.key(String(decoding: key, as: UTF8.self))) }
        defer { if tracksPaths { steps.removeLast() } }
        try flatten(value, &steps, excluding: rest, stringsOnly: stringsOnly, visit)
      }
    case .array:
      guard tracksPaths || !paths.isEmpty else {
        return try element.forEachElement {
          try flatten($0, &steps, excluding: paths, stringsOnly: stringsOnly, visit)
        }
      }
      var position = 0
      try element.forEachElement { value in
        defer { position += 1 }
        guard let rest = paths.descending(toPosition: position) else { return }
        if tracksPaths { steps.append(.position(position)) }
        defer { if tracksPaths { steps.removeLast() } }
        try flatten(value, &steps, excluding: rest, stringsOnly: stringsOnly, visit)
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
