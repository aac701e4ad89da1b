/// Collects the relationship ids and the names in the list of slides or sheets.
final class IDList: XMLHandler {
  private let element: String
  private(set) var ids: [(relation: String, name: String)] = []

  init(element: String) { self.element = element }

  func start(_ name: String, _ attributes: [String: String]) {
    guard name == element, let relation = attributes["r:id"] ?? attributes["id"] else { return }
    ids.append((relation, attributes["name"] ?? ""))
  }

  func end(_ name: String) {}
  func text(_ text: String) {}
}
