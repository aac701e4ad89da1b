import Concordance
import JSONText

/// A JSON merge patch, RFC 7396. Properties that it does not name keep their text byte for byte.
struct MergePatch {
  private let changes: [JSONMember]

  init(_ changes: [JSONMember]) { self.changes = changes }

  /// Changes a document.
  ///
  /// - Throws: `CBLError` if the text of the document is not valid JSON.
  func apply(to document: MutableDocument) throws {
    let text = document.toJSON()
    let stored = try JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }
    var changed: [JSONMember] = []
    for change in changes {
      if change.value == .null {
        document.removeValue(forKey: change.key)
      } else {
        changed.append(JSONMember(change.key, MergePatch.merged(stored.member(change.key), change.value)))
      }
    }
    if !changed.isEmpty { try document.mergeJSON(JSONValue.object(changed).text) }
  }

  /// The algorithm of section 2. The depth is limited by the parser.
  private static func merged(_ target: JSONValue?, _ patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members: [JSONMember] = []
    if case .object(let old)? = target { members = old }
    for change in changes {
      let index = members.firstIndex { $0.key == change.key }
      if change.value == .null {
        if let index { members.remove(at: index) }
      } else {
        let value = merged(index.map { members[$0].value }, change.value)
        if let index { members[index].value = value } else { members.append(JSONMember(change.key, value)) }
      }
    }
    return .object(members)
  }
}

extension JSONValue {
  fileprivate func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}
