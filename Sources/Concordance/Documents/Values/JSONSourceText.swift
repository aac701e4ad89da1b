import JSONText

/// The JSON text of a container: a range of a larger text, or all of it.
struct JSONSourceText: Sendable {
  let bytes: [UInt8]
  let range: Range<Int>

  static let emptyObject = JSONSourceText(Array("{}".utf8))
  static let emptyArray = JSONSourceText(Array("[]".utf8))

  init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  var slice: ArraySlice<UInt8> { bytes[range] }

  /// Calls `body` with each item of the container.
  func forEachItem(_ body: (_ key: String, _ value: Range<Int>) -> Void) {
    bytes.withUnsafeBytes { text in
      var scanner = JSONContainerScanner(text, of: range)
      while let item = scanner.next() {
        body(item.key.map { JSONString.string(UnsafeRawBufferPointer(rebasing: text[$0])) } ?? "", item.value)
      }
    }
  }

  /// Returns the first byte of a value; nil for an empty range, which does not occur in valid JSON.
  func firstByte(_ range: Range<Int>) -> UInt8? { range.isEmpty ? nil : bytes[range.lowerBound] }

  func scalar(_ range: Range<Int>) -> JSONValue {
    bytes.withUnsafeBytes { JSONValue(scalar: UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Returns the properties of an object if it is the JSON form of a blob, otherwise nil.
  func blobProperties(_ range: Range<Int>) -> [String: Any]? {
    let object = JSONSourceText(bytes, range)
    var isBlob = false
    object.forEachItem { key, value in
      guard key == Blob.typeProperty || key == JSONSourceText.legacyTypeProperty else { return }
      isBlob = isBlob || object.scalar(value) == .string(Blob.blobType)
    }
    guard isBlob else { return nil }
    var properties: [String: Any] = [:]
    object.forEachItem { key, value in
      let first = firstByte(value)
      guard first != UInt8(ascii: "{"), first != UInt8(ascii: "["), properties[key] == nil else { return }
      properties[key] = object.scalar(value).swiftValue
    }
    if properties[Blob.typeProperty] == nil {
      properties[Blob.typeProperty] = Blob.blobType
      properties[Blob.blobContentType] = properties[JSONSourceText.legacyContentType]
    }
    return properties
  }

  // The property names that the first developer builds of Couchbase Lite 2 wrote.
  private static let legacyTypeProperty = "_cbltype"
  private static let legacyContentType = "type"
}

extension JSONSourceText {
  /// Checks JSON text that the program passed in.
  ///
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object, or not a JSON array if `isDictionary` is
  ///   false.
  init(checking json: String, isDictionary: Bool) throws {
    let bytes = Array(json.utf8)
    let kind = try withPublicErrors {
      try JSONParser.withShared { parser in try bytes.withUnsafeBytes { try parser.parse($0).kind } }
    }
    guard kind == (isDictionary ? .object : .array) else {
      throw CBLError(
        CBLError.invalidJSON,
        "the text is a JSON value of another type (\(kind)); pass \(isDictionary ? "an object" : "an array")")
    }
    self.init(bytes)
  }
}
