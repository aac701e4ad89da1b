import Concordance
import HTTPTypes
import JSONText

/// A JSON merge patch (RFC 7396). Properties that it does not mention keep their exact JSON text.
struct MergePatch {
  /// The media type of the patch, and types that clients send although the body is a patch. If no type is
  /// given, curl sends `application/x-www-form-urlencoded`, and `fetch` in browsers sends `text/plain` for a string.
  private static let types = [mediaType, "application/json", "application/x-www-form-urlencoded", "text/plain"]
  static let mediaType = "application/merge-patch+json"

  private let changes: [JSONMember]

  init(_ changes: [JSONMember]) { self.changes = MergePatch.lastMembers(changes) }

  /// Checks the media type of a request.
  ///
  /// - Throws: ``Problem`` with status 415 for a type of other patches.
  static func checkType(_ headers: HTTPFields) throws {
    guard let header = headers[.contentType], !types.contains(MediaType.name(of: header)) else { return }
    var problem = Problem(
      .unsupportedMediaType, "unsupported_media_type",
      "the body has the Content-Type \"\(header.prefix(100))\"; send a JSON merge patch, \(mediaType)")
    if let name = HTTPField.Name("Accept-Patch") { problem.headers[name] = mediaType }
    throw problem
  }

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
        let old = stored[ExactString(change.key)]
        changed.append(JSONMember(change.key, MergePatch.merged(old, change.value)))
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
    var indices = Dictionary(
      old.enumerated().map { (ExactString($1.key), $0) }, uniquingKeysWith: { first, _ in first })
    for change in changes {
      let key = ExactString(change.key)
      let index = indices[key]
      if change.value == .null {
        if let index { result[index] = nil }
        indices[key] = nil
      } else {
        let value = merged(index.flatMap { result[$0]?.value }, change.value)
        if let index {
          result[index]?.value = value
        } else {
          indices[key] = result.count
          result.append(JSONMember(change.key, value))
        }
      }
    }
    return .object(result.compactMap { $0 })
  }

  /// Returns the members of a patch. If a key is repeated, only its last member is included.
  private static func lastMembers(_ members: [JSONMember]) -> [JSONMember] {
    let last = Dictionary(members.enumerated().map { (ExactString($1.key), $0) }, uniquingKeysWith: { $1 })
    guard last.count < members.count else { return members }
    return members.enumerated().filter { last[ExactString($1.key)] == $0 }.map(\.element)
  }
}

extension JSONValue {
  /// The members of an object by key. If a key is repeated, the first value is used.
  fileprivate var members: [ExactString: JSONValue] {
    guard case .object(let members) = self else { return [:] }
    return Dictionary(members.map { (ExactString($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
