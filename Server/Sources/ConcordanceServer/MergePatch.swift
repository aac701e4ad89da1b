import Concordance
import JSONText

/// A JSON merge patch (RFC 7396). Properties that it does not mention keep their exact JSON text.
struct MergePatch {
  private let changes: [JSONMember]

  init(_ changes: [JSONMember]) { self.changes = MergePatch.lastMembers(changes) }

  /// Applies the patch to a document.
  ///
  /// - Throws: `CBLError` if the text of the document is not valid JSON.
  func apply(to document: MutableDocument) throws {
    let text = document.toJSON()
    let stored = try JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }.members
    var changed: [JSONMember] = []
    for change in changes {
      if change.value == .null {
        document.removeValue(forKey: change.key)
      } else {
        changed.append(JSONMember(change.key, MergePatch.merged(stored[change.key], change.value)))
      }
    }
    if !changed.isEmpty { try document.mergeJSON(JSONValue.object(changed).text) }
  }

  /// Implements the algorithm in section 2 of the RFC. The parser limits the recursion depth.
  private static func merged(_ target: JSONValue?, _ patch: JSONValue) -> JSONValue {
    guard case .object(let members) = patch else { return patch }
    let changes = lastMembers(members)
    var old: [JSONMember] = []
    if case .object(let stored)? = target { old = stored }
    var result: [JSONMember?] = old
    var indices = Dictionary(old.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    for change in changes {
      let index = indices[change.key]
      if change.value == .null {
        if let index { result[index] = nil }
        indices[change.key] = nil
      } else {
        let value = merged(index.flatMap { result[$0]?.value }, change.value)
        if let index {
          result[index]?.value = value
        } else {
          indices[change.key] = result.count
          result.append(JSONMember(change.key, value))
        }
      }
    }
    return .object(result.compactMap { $0 })
  }

  /// Returns the members of a patch. If a key is repeated, only its last member is included.
  private static func lastMembers(_ members: [JSONMember]) -> [JSONMember] {
    let last = Dictionary(members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { $1 })
    guard last.count < members.count else { return members }
    return members.enumerated().filter { last[$1.key] == $0 }.map(\.element)
  }
}

extension JSONValue {
  /// The members of an object by key. If a key is repeated, the first value is used.
  fileprivate var members: [String: JSONValue] {
    guard case .object(let members) = self else { return [:] }
    return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
