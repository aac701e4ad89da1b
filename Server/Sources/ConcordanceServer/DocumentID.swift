import Concordance
import HTTPTypes
import JSONText

/// The member `_id` of a document in a request body. As in lists and bulk requests, it is the id, not a property.
enum DocumentID {
  static let key = "_id"

  /// Removes `_id` from a document that is saved under the id in the path.
  ///
  /// - Throws: ``Problem`` with status 400 if the ids differ.
  static func remove(from document: MutableDocument, expecting id: String) throws {
    guard document.contains(key: key) else { return }
    guard document.value(forKey: key) as? String == id else { throw mismatch(id) }
    document.removeValue(forKey: key)
  }

  /// Returns the members of a merge patch without `_id`.
  ///
  /// - Throws: ``Problem`` with status 400 if the ids differ.
  static func removed(from members: [JSONMember], expecting id: String) throws -> [JSONMember] {
    for member in members where member.key == key && member.value != .string(id) { throw mismatch(id) }
    return members.filter { $0.key != key }
  }

  private static func mismatch(_ id: String) -> Problem {
    .invalidParameter(key, "the id is \"\(id)\", as in the path; remove _id from the body")
  }
}
