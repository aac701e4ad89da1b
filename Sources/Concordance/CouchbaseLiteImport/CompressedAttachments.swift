import JSONText

/// Attachments that Couchbase Lite 1.0 or 1.1 compressed:
/// `{"digest":"sha1-…","encoding":"gzip","encoded_length":120,"length":800}`.
enum CompressedAttachments {
  typealias Decompression = (_ digest: String, _ length: Int64) throws -> (digest: String, length: Int64)?

  private static let key = "_attachments"

  /// Returns a document whose attachments have no encoding.
  ///
  /// - Parameters:
  ///   - json: the document as JSON text.
  ///   - decompress: receives the digest and the decompressed length of a compressed attachment. It returns the digest
  ///     and the length of its content, or nil to leave the attachment unchanged.
  static func replacing(
    in json: [UInt8], _ parser: JSONParser, decompress: Decompression
  ) throws -> [UInt8] {
    let root = try json.withUnsafeBytes { bytes -> JSONValue? in
      let root = try parser.parse(bytes)
      return isCompressed(root[key]) ? JSONValue(root) : nil
    }
    guard case .object(var members)? = root else { return json }
    for (position, member) in members.enumerated() where member.key == key {
      guard case .object(let attachments) = member.value else { continue }
      members[position].value = .object(
        try attachments.map { JSONMember($0.key, try replacing($0.value, decompress)) })
    }
    var writer = JSONWriter()
    writer.write(.object(members))
    return writer.bytes
  }

  private static func isCompressed(_ attachments: JSONElement?) -> Bool {
    var isCompressed = false
    attachments?.forEachMember { if $1["encoding"]?.string == "gzip" { isCompressed = true } }
    return isCompressed
  }

  private static func replacing(
    _ attachment: JSONValue, _ decompress: Decompression
  ) throws -> JSONValue {
    guard case .object(let members) = attachment,
      members.contains(where: { $0.key == "encoding" && $0.value == .string("gzip") }),
      case .string(let digest)? = members.first(where: { $0.key == "digest" })?.value,
      case .int64(let length)? = members.first(where: { $0.key == "length" })?.value,
      let content = try decompress(digest, length)
    else { return attachment }
    return .object(
      members.compactMap { member in
        switch member.key {
        case "encoding", "encoded_length": nil
        case "digest": JSONMember("digest", .string(content.digest))
        case "length": JSONMember("length", .int64(content.length))
        default: member
        }
      })
  }
}
