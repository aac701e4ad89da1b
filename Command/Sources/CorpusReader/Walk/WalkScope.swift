/// The folders that a walk reads again after changes, instead of all folders below its roots.
///
/// ```swift
/// var scope = WalkScope()
/// scope.add("/home/ann/notes")            // the files in the folder
/// scope.addTree("/home/ann/notes/2024")   // the folder and everything below it
/// ```
///
/// The walk also enters the parent folders of these, to apply their ignore files and the globs of the options, but it
/// does not visit the files in them.
public struct WalkScope: Sendable, Hashable {
  private var folders: Set<String> = []
  private var trees: Set<String> = []
  /// The parent folders of ``folders`` and ``trees``, up to the root of the file system.
  private var ancestors: Set<String> = []

  /// Creates an empty scope, in which no file is visited.
  public init() {}

  public var isEmpty: Bool { folders.isEmpty && trees.isEmpty }

  /// The number of folders and trees.
  public var count: Int { folders.count + trees.count }

  /// Adds a folder without its subfolders.
  ///
  /// - Parameter path: its absolute path without a trailing slash.
  public mutating func add(_ path: String) {
    if folders.insert(path).inserted { addAncestors(of: path) }
  }

  /// Adds a folder with everything below it.
  ///
  /// - Parameter path: its absolute path without a trailing slash.
  public mutating func addTree(_ path: String) {
    if trees.insert(path).inserted { addAncestors(of: path) }
  }

  /// Returns whether the files in a folder are visited.
  ///
  /// - Complexity: O(depth) for a folder below a tree.
  public func contains(folder path: String) -> Bool { folders.contains(path) || isInTree(path) }

  /// Returns whether a file is in the scope: its folder is in the scope, or its own path was added as a tree.
  public func contains(file path: String) -> Bool {
    trees.contains(path) || contains(folder: WalkScope.folder(of: path))
  }

  /// Returns whether a walk enters a folder.
  func enters(_ path: String) -> Bool { ancestors.contains(path) || contains(folder: path) }

  private func isInTree(_ path: String) -> Bool {
    guard !trees.isEmpty else { return false }
    var path = path
    while true {
      if trees.contains(path) { return true }
      guard !path.isEmpty else { return false }
      path = WalkScope.folder(of: path)
    }
  }

  private mutating func addAncestors(of path: String) {
    var path = path
    while !path.isEmpty {
      path = WalkScope.folder(of: path)
      if !ancestors.insert(path).inserted { return }
    }
  }

  /// Returns the path without its last component; empty for the root.
  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(path[..<slash])
  }
}
