import JSONText

/// Converts the attachments of a Couchbase Lite 1.x document to blobs, as Couchbase Lite 2 does when it upgrades a
/// database: they stay in `_attachments` under their names.
enum AttachmentConversion {
  static let key = "_attachments"

  /// Returns the JSON text with `"@type":"blob"` added to each attachment; nil if the text is not an object.
  ///
  /// - Parameter stored: the attachments that are stored outside the text. Those in the text take precedence.
  /// - Throws: ``JSONError``.
  static func json(
    _ text: UnsafeRawBufferPointer, _ parser: JSONParser, adding stored: [JSONMember] = []
  ) throws -> [UInt8]? {
    let root = try parser.parse(text)
    guard root.kind == .object else { return nil }
    guard root[key] != nil || !stored.isEmpty, case .object(var members) = JSONValue(root) else { return Array(text) }
    if !stored.isEmpty { add(stored, to: &members) }
    var writer = JSONWriter()
    writer.object { object in
      for member in members {
        object.member(member.key) { $0.write(member.key == key ? marked(member.value) : member.value) }
      }
    }
    return writer.bytes
  }

  private static func add(_ stored: [JSONMember], to members: inout [JSONMember]) {
    guard let position = members.firstIndex(where: { $0.key == key }) else {
      members.append(JSONMember(key, .object(stored)))
      return
    }
    guard case .object(let known) = members[position].value else { return }
    let names = Set(known.map { ExactString($0.key) })
    members[position].value = .object(known + stored.filter { !names.contains(ExactString($0.key)) })
  }

  private static func marked(_ value: JSONValue) -> JSONValue {
    guard case .object(let attachments) = value else { return value }
    return .object(
      attachments.map { attachment in
        guard case .object(let members) = attachment.value, !members.contains(where: { $0.key == "@type" }) else {
          return attachment
        }
        var marked = attachment
        marked.value = .object([JSONMember("@type", .string("blob"))] + members)
        return marked
      })
  }
}
