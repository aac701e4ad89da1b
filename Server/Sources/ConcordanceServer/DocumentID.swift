import Concordance
import HTTPTypes
import JSONText

/// The members `_id` and `_deleted` of a document in a request body. As in lists and bulk requests, they are not
/// properties.
enum DocumentID {
  static let key = "_id"
  private static let deletionKey = "_deleted"

  /// Checks that requests can name the document: clients remove the ids `.` and `..` from paths.
  ///
  /// - Throws: ``Problem`` with status 400.
  static func check(_ id: String) throws {
    guard PathText.isDotSegment(id) else { return }
    throw Problem(
      .badRequest, "invalid_document_id",
      "a document with the id \"\(id)\" could not be read by its path; choose another id, or save it with a bulk "
        + "request")
  }

  /// Removes `_id` from a document that is saved under the id in the path.
  ///
  /// - Throws: ``Problem`` with status 400 if the ids differ.
  static func remove(from document: MutableDocument, expecting id: String) throws {
    guard document.contains(key: key) else { return }
    guard let given = document.value(forKey: key) as? String, given.utf8.elementsEqual(id.utf8) else {
      throw mismatch(id)
    }
    document.removeValue(forKey: key)
  }

  /// Returns the members of a merge patch without `_id`.
  ///
  /// - Throws: ``Problem`` with status 400 if the ids differ, or if the patch sets `_deleted` or repeats one of the
  ///   keys.
  static func removed(from members: [JSONMember], expecting id: String) throws -> [JSONMember] {
    for name in [key, deletionKey] where members.filter({ $0.key == name }).count > 1 {
      throw repetition(name)
    }
    for member in members {
      if member.key == key {
        guard case .string(let given) = member.value, given.utf8.elementsEqual(id.utf8) else { throw mismatch(id) }
      }
      // Null removes a property that a program has stored.
      if member.key == deletionKey, member.value != .null { throw deletion }
    }
    return members.filter { $0.key != key }
  }

  /// Checks that a document has no property `_deleted`, which lists of documents would not contain.
  ///
  /// - Throws: ``Problem`` with status 400.
  static func checkDeletion(_ document: MutableDocument) throws {
    if document.contains(key: deletionKey) { throw deletion }
  }

  /// Checks that the text of a document contains `_id` and `_deleted` at most once. Documents have the first value of a
  /// repeated key, but other programs use the last.
  ///
  /// - Throws: ``Problem`` with status 400.
  static func checkRepetition(of document: MutableDocument, in text: String) throws {
    guard document.contains(key: key) || document.contains(key: deletionKey) else { return }
    var (ids, deletions) = (0, 0)
    try JSONParser.withShared { parser in
      try parser.parse(utf8: text).forEachMember { name, _ in
        if name.elementsEqual(key.utf8) { ids += 1 }
        if name.elementsEqual(deletionKey.utf8) { deletions += 1 }
      }
    }
    if ids > 1 { throw repetition(key) }
    if deletions > 1 { throw repetition(deletionKey) }
  }

  private static func repetition(_ key: String) -> Problem { .invalidParameter(key, "the key is given more than once") }

  private static func mismatch(_ id: String) -> Problem {
    .invalidParameter(key, "the id is \"\(id)\", as in the path; remove _id from the body")
  }

  private static var deletion: Problem {
    .invalidParameter(
      deletionKey, "a property cannot have this name; to delete the document, send DELETE or a bulk request")
  }
}
