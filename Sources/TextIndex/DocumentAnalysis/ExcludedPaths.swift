import JSONText

/// The paths of values that ``FieldWalker`` excludes, relative to an element of a document.
///
/// Most elements are on no path. Then there are none to compare with, and the keys inside them do not become strings.
struct ExcludedPaths {
  /// For each path that leads through the element, the components after it.
  private let paths: [ArraySlice<PropertyPath.Component>]

  /// - Parameter paths: the paths, relative to the element.
  init(_ paths: [ArraySlice<PropertyPath.Component>] = []) { self.paths = paths }

  /// Whether no value inside the element is excluded.
  var isEmpty: Bool { paths.isEmpty }

  /// Returns the paths relative to a member of the element; nil if the member is excluded.
  func descending(toKey key: UnsafeRawBufferPointer) -> ExcludedPaths? {
    rest { component in
      // JSON keys are compared as bytes: strings that are equal in Swift may be encoded differently.
      if case .key(let name) = component { name.utf8.elementsEqual(key) } else { false }
    }
  }

  /// Returns the paths relative to an array element of the element; nil if the array element is excluded.
  func descending(toPosition position: Int) -> ExcludedPaths? {
    rest { component in
      switch component {
      case .each: true
      case .position(let other): other == position
      case .key: false
      }
    }
  }

  /// Returns the paths relative to a value inside the element that is selected by the components that match.
  private func rest(_ matches: (PropertyPath.Component) -> Bool) -> ExcludedPaths? {
    var rests: [ArraySlice<PropertyPath.Component>] = []
    for path in paths {
      guard let component = path.first, matches(component) else { continue }
      if path.count == 1 { return nil }
      rests.append(path.dropFirst())
    }
    return ExcludedPaths(rests)
  }
}
