/// The relationships of a part of an Office Open XML package (ECMA-376, part 2, "Relationships"). The targets are paths
/// in the package; targets outside the package are left out.
struct PackageRelations {
  /// The targets by id.
  private(set) var targets: [String: String] = [:]
  /// One target of each type. A type is the last component of its URI: `worksheet`.
  private(set) var types: [String: String] = [:]
  /// The relationships in the order of the file.
  private(set) var list: [(type: String, target: String)] = []

  fileprivate mutating func add(id: String?, type: String, target: String) {
    if let id { targets[id] = target }
    guard !type.isEmpty else { return }
    types[type] = target
    list.append((type, target))
  }
}

extension OfficePackage {
  /// Returns the relationships of a part, or of the package if the path is empty.
  func relations(of part: String, document: String) -> PackageRelations {
    let (folder, name) = OfficePackage.split(part)
    let handler = RelationshipHandler(folder: folder)
    parse("\(folder)_rels/\(name).rels", of: document, handler)
    return handler.relations
  }

  /// Returns the path of the main part, which the relationships of the package determine.
  ///
  /// - Parameter path: the usual path, which is returned if the package does not contain the target.
  func mainPart(default path: String, document: String) -> String {
    guard let target = relations(of: "", document: document).types["officeDocument"], self[target] != nil else {
      return path
    }
    return target
  }
}

private final class RelationshipHandler: XMLHandler {
  private(set) var relations = PackageRelations()
  private let folder: String

  init(folder: String) { self.folder = folder }

  func start(_ name: String, _ attributes: [String: String]) {
    guard name == "Relationship", let target = attributes["Target"], attributes["TargetMode"] != "External" else {
      return
    }
    let type = attributes["Type"]?.split(separator: "/").last.map(String.init) ?? ""
    relations.add(id: attributes["Id"], type: type, target: OfficePackage.resolve(target, in: folder))
  }

  func end(_ name: String) {}
  func text(_ text: String) {}
}
