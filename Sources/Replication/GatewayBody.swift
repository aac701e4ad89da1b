import Foundation
import JSONText

/// Converts the bodies that Sync Gateway sends and receives.
///
/// It adds top-level properties whose names begin with `_`: `_attachments` repeats the blobs of a document for clients
/// of version 1, and `_removed` replaces a document that the user may no longer read.
enum GatewayBody {
  /// The size in bytes above which a body is refused before it is parsed. A document has at most 50 MiB; the rest is
  /// for the properties that the server adds.
  static let maximumSize = 54 << 20

  /// A converted body.
  enum Content: Equatable {
    case document([UInt8])
    /// The user may no longer read the document.
    case removal
  }

  /// Returns the content of a body. Malformed JSON and bodies of more than ``maximumSize`` bytes are returned
  /// unchanged; they are rejected when they are stored.
  ///
  /// - Complexity: O(n). The text is parsed only if it contains `"_`.
  static func content(of body: [UInt8]) -> Content {
    guard mayContainReservedKey(body),
      case .object(let members)? = try? MessageBody.value(body, maximumSize: maximumSize),
      members.contains(where: { $0.key.hasPrefix("_") })
    else { return .document(body) }
    if members.contains(where: { $0.key == "_removed" && $0.value == .boolean(true) }) { return .removal }
    var writer = JSONWriter()
    writer.object { object in
      for member in members {
        guard member.key.hasPrefix("_") else {
          object.member(member.key) { $0.write(member.value) }
          continue
        }
        let attachments = member.key == "_attachments" ? otherAttachments(member.value) : []
        if !attachments.isEmpty { object.member(member.key) { $0.write(.object(attachments)) } }
      }
    }
    return .document(writer.bytes)
  }

  /// Returns a body in which `_attachments` repeats the blobs. Sync Gateway requests only the blobs that are listed
  /// there. A body without blobs is returned unchanged.
  static func addingAttachments(to body: [UInt8]) -> [UInt8] {
    guard case .object(let members)? = try? MessageBody.value(body, maximumSize: maximumSize) else { return body }
    let kept = members.filter { $0.key != "_attachments" }
    var attachments: [JSONMember] = []
    var path: [String] = []
    for member in kept { addAttachments(of: member.value, member.key, in: &path, to: &attachments) }
    guard !attachments.isEmpty else { return body }
    for member in members where member.key == "_attachments" { attachments += otherAttachments(member.value) }
    var writer = JSONWriter()
    writer.object { object in
      for member in kept { object.member(member.key) { $0.write(member.value) } }
      object.member("_attachments") { $0.write(.object(attachments)) }
    }
    return writer.bytes
  }

  /// Adds the blobs in a value. The names of the attachments are `blob_` and the JSON pointer of the blob. As in
  /// Couchbase Lite, keys are not escaped.
  ///
  /// - Parameters:
  ///   - key: returns the key or index of the value. It is called only if the value may contain blobs.
  ///   - path: the keys and indexes of the values that contain the value. It is joined only for blobs, because joining
  ///     it for every value of a deep document takes quadratic time.
  private static func addAttachments(
    of value: JSONValue, _ key: @autoclosure () -> String, in path: inout [String], to attachments: inout [JSONMember]
  ) {
    switch value {
    case .object, .array: path.append(key())
    default: return
    }
    defer { path.removeLast() }
    switch value {
    case .object(let members):
      guard value["@type"]?.string == "blob", value["digest"]?.string != nil else {
        for member in members { addAttachments(of: member.value, member.key, in: &path, to: &attachments) }
        return
      }
      // Couchbase Lite adds `revpos`, the generation of the revision, only to revisions of trees.
      let properties = members.filter { $0.key != "@type" && $0.key != "stub" } + [JSONMember("stub", .boolean(true))]
      attachments.append(JSONMember("blob_/" + path.joined(separator: "/"), .object(properties)))
    case .array(let items):
      for (index, item) in items.enumerated() { addAttachments(of: item, String(index), in: &path, to: &attachments) }
    default: break
    }
  }

  /// Returns the attachments that do not repeat a blob. The names of the others are `blob_` and a JSON pointer.
  private static func otherAttachments(_ value: JSONValue) -> [JSONMember] {
    guard case .object(let members) = value else { return [] }
    return members.filter { !$0.key.hasPrefix("blob_") }
  }

  /// Whether a text contains `"_`.
  private static func mayContainReservedKey(_ text: [UInt8]) -> Bool {
    text.withUnsafeBytes { text in
      guard let base = text.baseAddress else { return false }
      var start = 1
      while start < text.count, let found = memchr(base + start, Int32(UInt8(ascii: "_")), text.count - start) {
        let position = UnsafeRawPointer(found) - base
        if text[position - 1] == UInt8(ascii: "\"") { return true }
        start = position + 1
      }
      return false
    }
  }
}
