import Foundation
import JSONText

extension Blob {
  /// The JSON form of the blob as a dictionary, as documents contain it.
  ///
  /// It contains ``typeProperty`` and, if they are known, ``blobDigestProperty``, ``blobLengthProperty`` and
  /// ``blobContentType``.
  public var properties: [String: Any] {
    var properties: [String: Any] = [Blob.typeProperty: Blob.blobType]
    properties[Blob.blobDigestProperty] = withState { $0.digest }
    properties[Blob.blobLengthProperty] = knownLength.map { NSNumber(value: $0) }
    properties[Blob.blobContentType] = contentType
    return properties
  }

  /// Returns the JSON form of the blob, as documents contain it:
  /// `{"@type":"blob","content_type":"text/plain","digest":"sha1-…","length":9}`.
  ///
  /// The digest of a stream that has not been read yet is omitted.
  ///
  /// - Complexity: O(1) for a stored blob; O(n) in the length for data and files, which are read once to compute the
  ///   digest.
  public func toJSON() -> String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  /// Returns whether a dictionary is the JSON form of a blob.
  ///
  /// This is the case if ``typeProperty`` is ``blobType``, the digest is a string, the length is a number or missing,
  /// and the content type is a string or missing.
  ///
  /// - Parameter properties: the dictionary.
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
    let digest = withState({ $0.origin.isUnread }) ? nil : contentDigest()
    let length = knownLength
    writer.object { object in
      object.member(Blob.typeProperty, Blob.blobType)
      if let contentType { object.member(Blob.blobContentType, contentType) }
      if let digest { object.member(Blob.blobDigestProperty, digest) }
      if let length { object.member(Blob.blobLengthProperty, Int64(clamping: length)) }
    }
  }

  /// Converts a length of any numeric type. Returns nil for a value that is not a number.
  static func length(_ value: Any?) -> UInt64? {
    // `NSNumber` is checked first, by class, because Swift numbers can be cast to it, and an `NSNumber` with the value
    // 1 can be cast to `Bool`.
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

  /// Decodes the JSON form of a blob, which does not contain the content. Read the content with
  /// ``Database/getBlob(properties:)``.
  ///
  /// - Throws: `DecodingError` if the value is not the JSON form of a blob.
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

  /// Encodes the JSON form of the blob, which does not contain the content. Content that is not stored yet is read to
  /// compute its digest; save it with ``Database/saveBlob(blob:)``.
  ///
  /// - Throws: `EncodingError` if the content cannot be read.
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
