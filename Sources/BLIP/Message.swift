/// A message: a request, a response, or an error.
///
/// ```
/// varint size of the properties | key NUL value NUL … | body
/// ```
public struct Message: Hashable, Sendable {
  public var type: MessageType
  public var flags: MessageFlags
  /// The properties in the order in which they are sent.
  public var properties: MessageProperties
  public var body: [UInt8]

  /// Creates a message.
  public init(
    _ type: MessageType = .request, flags: MessageFlags = [], properties: MessageProperties = MessageProperties(),
    body: [UInt8] = []
  ) {
    self.type = type
    self.flags = flags
    self.properties = properties
    self.body = body
  }

  /// Creates an error response.
  ///
  /// - Parameters:
  ///   - domain: the domain, such as `HTTP`; `BLIP` for protocol errors.
  ///   - code: the code in the domain.
  ///   - message: a description.
  public static func error(domain: String, code: Int, _ message: String = "") -> Message {
    Message(
      .error, properties: ["Error-Domain": domain, "Error-Code": String(code)], body: Array(message.utf8))
  }

  /// The domain and the code of an error response; nil for any other message.
  public var errorCode: (domain: String, code: Int)? {
    guard type == .error else { return nil }
    return (properties["Error-Domain"] ?? "BLIP", properties["Error-Code"].flatMap { Int($0) } ?? 599)
  }

  /// Returns the encoded properties and body. The sender divides them into frames.
  func encoded() -> [UInt8] {
    let text = properties.encoded()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + body.count + 3)
    Varint.append(UInt64(text.count), to: &bytes)
    bytes += text
    bytes += body
    return bytes
  }

  /// Parses the properties and body of a message after its frames have been joined.
  init(_ type: MessageType, _ flags: MessageFlags, content: [UInt8]) throws(BLIPError) {
    var offset = 0
    guard let size = Varint.read(content, at: &offset), size <= UInt64(MessageProperties.maximumSize),
      offset + Int(size) <= content.count
    else { throw .malformedProperties }
    let end = offset + Int(size)
    self.init(
      type, flags: flags, properties: try MessageProperties(content[offset..<end]), body: Array(content[end...]))
  }
}

/// The properties of a message: pairs of strings without U+0000. If a key is repeated, the first value is used.
public struct MessageProperties: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The maximum size of encoded properties in bytes.
  public static let maximumSize = 100 << 10

  /// The pairs in order.
  public private(set) var pairs: [Pair] = []

  /// A key and its value.
  public struct Pair: Hashable, Sendable {
    public let key: String
    public let value: String
  }

  /// Creates properties from pairs.
  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(key: $0.0, value: $0.1) }
  }

  /// The value for a key; nil if there is none. A value that contains U+0000 is truncated before this character when it
  /// is sent, because the format cannot represent it.
  public subscript(key: String) -> String? {
    get { pairs.first { $0.key == key }?.value }
    set {
      pairs.removeAll { $0.key == key }
      if let newValue { pairs.append(Pair(key: key, value: newValue)) }
    }
  }

  /// Appends a pair without checking for an existing one. The key must not be in the list yet.
  public mutating func append(_ key: String, _ value: String) { pairs.append(Pair(key: key, value: value)) }

  /// Returns whether the value of a key is `true`, `YES` or a number other than 0.
  public func boolean(_ key: String) -> Bool {
    guard let value = self[key] else { return false }
    return value == "true" || value == "YES" || (Int(value) ?? 0) != 0
  }

  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    for pair in pairs {
      MessageProperties.append(pair.key, to: &bytes)
      MessageProperties.append(pair.value, to: &bytes)
    }
    return bytes
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += text.utf8
    if let end = bytes[start...].firstIndex(of: 0) { bytes.removeSubrange(end...) }
    bytes.append(0)
  }

  init(_ bytes: ArraySlice<UInt8>) throws(BLIPError) {
    guard bytes.isEmpty || bytes.last == 0 else { throw .malformedProperties }
    var key: String?
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0) {
      guard let text = String(validating: bytes[start..<end], as: UTF8.self) else { throw .malformedProperties }
      if let name = key {
        pairs.append(Pair(key: name, value: text))
        key = nil
      } else {
        key = text
      }
      start = end + 1
    }
    guard key == nil else { throw .malformedProperties }
  }
}
