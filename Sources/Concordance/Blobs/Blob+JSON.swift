import Foundation
import JSONText

extension Blob {
  /// What a document holds of the blob: ``typeProperty``, and ``blobDigestProperty``, ``blobLengthProperty`` and
  /// ``blobContentType`` where they are known.
  public var properties: [String: Any] {
    var properties: [String: Any] = [Blob.typeProperty: Blob.blobType]
    properties[Blob.blobDigestProperty] = withState { $0.digest }
    properties[Blob.blobLengthProperty] = knownLength.map { NSNumber(value: $0) }
    properties[Blob.blobContentType] = contentType
    return properties
  }

  /// The JSON form, as documents hold it:
  /// `{"@type":"blob","content_type":"text/plain","digest":"sha1-…","length":9}`.
  ///
  /// - Complexity: O(1) for a blob that is stored; data and files are read for their digest. A stream that was not read yet
  ///   has no digest.
  public func toJSON() -> String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  /// Whether properties stand for a blob: ``typeProperty`` is ``blobType``, the digest is a string, and the length and the
  /// content type, where they are there, are a number and a string.
  public static func isBlob(properties: [String: Any]) -> Bool {
    guard properties[typeProperty] as? String == blobType, properties[blobDigestProperty] is String else {
      return false
    }
    if let length = properties[blobLengthProperty], Blob.length(length) == nil { return false }
    if let type = properties[blobContentType], !(type is String) { return false }
    return true
  }

  /// Writes the JSON form. See ``toJSON()``.
  func write(to writer: inout JSONWriter) {
    let isUnread = withState { if case .stream = $0.origin { true } else { false } }
    let digest = isUnread ? nil : contentDigest()
    let length = knownLength
    writer.object { object in
      object.member(Blob.typeProperty, Blob.blobType)
      if let contentType { object.member(Blob.blobContentType, contentType) }
      if let digest { object.member(Blob.blobDigestProperty, digest) }
      if let length { object.member(Blob.blobLengthProperty, Int64(clamping: length)) }
    }
  }

  /// A length of any number type; nil for what is no number.
  static func length(_ value: Any?) -> UInt64? {
    // Asked for first and by its class: numbers of Swift cast to `NSNumber`, and an `NSNumber` of 1 to `Bool`.
    if let value, type(of: value) is NSNumber.Type, let number = value as? NSNumber {
      return String(cString: number.objCType) == "c" ? nil : number.uint64Value
    }
    return switch value {
    case let value as any BinaryInteger: UInt64(clamping: value)
    case let value as any BinaryFloatingPoint: UInt64(exactly: Double(value).rounded()) ?? 0
    default: nil
    }
  }
}

extension Blob: Codable {
  private enum CodingKeys: String, CodingKey {
    case type = "@type"
    case contentType = "content_type"
    case digest
    case length
  }

  /// Decodes the JSON form. The blob knows what that says; its content is in the database that has it, see
  /// ``Database/getBlob(properties:)``.
  ///
  /// - Throws: `DecodingError` for what is not the JSON form of a blob.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    guard type == Blob.blobType else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: container, debugDescription: "@type is \"\(type)\", not \"\(Blob.blobType)\"")
    }
    self.init(
      digest: try container.decode(String.self, forKey: .digest),
      length: try container.decodeIfPresent(UInt64.self, forKey: .length),
      contentType: try container.decodeIfPresent(String.self, forKey: .contentType), database: nil)
  }

  /// Encodes the JSON form. Content that is not stored yet is read for its digest, and not encoded: save the blob.
  ///
  /// - Throws: `EncodingError` where the content cannot be read.
  public func encode(to encoder: any Encoder) throws {
    guard let digest = contentDigest() else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "the content of the blob cannot be read"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Blob.blobType, forKey: .type)
    try container.encodeIfPresent(contentType, forKey: .contentType)
    try container.encode(digest, forKey: .digest)
    try container.encodeIfPresent(knownLength, forKey: .length)
  }
}
