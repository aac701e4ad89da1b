/// The folders that are watched, and the numbers of their watches.
///
/// The folders are a tree of the components of their paths, so that removing a folder takes time proportional to its
/// own subfolders instead of to all folders.
struct WatchedFolders {
  private final class Node {
    var watch: Int32?
    /// The subfolders by the bytes of their name: two names that differ may be equal as strings.
    var children: [[UInt8]: Node] = [:]
  }

  private let root = Node()
  private var paths: [Int32: String] = [:]

  /// Returns the path of a folder.
  func path(ofWatch watch: Int32) -> String? { paths[watch] }

  /// Adds a folder, or changes its watch.
  ///
  /// - Parameter folder: its absolute path without a trailing slash.
  mutating func insert(_ folder: String, watch: Int32) {
    if let old = paths[watch], !old.utf8.elementsEqual(folder.utf8) { remove(watch: watch) }
    paths[watch] = folder
    var node = root
    for name in WatchedFolders.components(folder) {
      let child = node.children[name] ?? Node()
      node.children[name] = child
      node = child
    }
    node.watch = watch
  }

  /// Removes a folder, but not its subfolders.
  mutating func remove(watch: Int32) {
    guard let folder = paths.removeValue(forKey: watch) else { return }
    let names = WatchedFolders.components(folder)
    guard let nodes = nodes(names), nodes.last?.watch == watch else { return }
    nodes.last?.watch = nil
    prune(nodes, names)
  }

  /// Removes a folder and its subfolders.
  ///
  /// - Returns: the numbers of their watches.
  /// - Complexity: O(*n* + *d*), with *n* removed folders and *d* components of the path.
  mutating func removeTree(_ folder: String) -> [Int32] {
    let names = WatchedFolders.components(folder)
    guard let nodes = nodes(names), let top = nodes.last else { return [] }
    var watches: [Int32] = []
    var remaining = [top]
    while let node = remaining.popLast() {
      if let watch = node.watch {
        watches.append(watch)
        paths[watch] = nil
      }
      remaining += node.children.values
    }
    top.watch = nil
    top.children = [:]
    prune(nodes, names)
    return watches
  }

  /// Returns the nodes from the root to a folder; nil if the folder is not in the tree.
  private func nodes(_ names: [[UInt8]]) -> [Node]? {
    var nodes = [root]
    for name in names {
      guard let child = nodes.last?.children[name] else { return nil }
      nodes.append(child)
    }
    return nodes
  }

  /// Removes the last of the nodes that contain nothing.
  private func prune(_ nodes: [Node], _ names: [[UInt8]]) {
    for (depth, name) in names.enumerated().reversed() {
      let node = nodes[depth + 1]
      guard node.watch == nil, node.children.isEmpty else { return }
      nodes[depth].children[name] = nil
    }
  }

  private static func components(_ path: String) -> [[UInt8]] {
    path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
  }
}
