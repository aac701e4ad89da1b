import JSONText

/// The list of keys that the dictionaries of a database refer to by number.
public struct SharedKeys: Sendable {
  /// Each key as escaped JSON text in quotation marks, followed by a colon.
  let members: [[UInt8]]

  /// The maximum number of keys in a block. Dictionaries refer to keys by 11-bit numbers.
  static let maximumCount = 2048
  /// The maximum length of a key in a block, in bytes. Couchbase Lite shares only keys of up to 16 bytes.
  static let maximumLength = 1 << 10

  /// The number of keys.
  public var count: Int { members.count }

  /// Creates a list with the given keys.
  public init(_ keys: [String] = []) { members = keys.map(SharedKeys.member) }

  /// Reads the list that a database stores, an array of strings.
  ///
  /// - Throws: ``FleeceError`` if the block is malformed, is not an array of strings, or has too many or too long keys:
  ///   many items can refer to one long string.
  public init(_ block: UnsafeRawBufferPointer) throws(FleeceError) {
    let block = FleeceBlock(bytes: block)
    guard let root = try block.root() else {
      self.init()
      return
    }
    guard try block.tag(root) == .array else { throw .malformed("the shared keys are not an array", offset: root) }
    let items = try block.items(root)
    guard items.count <= SharedKeys.maximumCount else {
      throw .malformed("there are more than \(SharedKeys.maximumCount) shared keys", offset: root)
    }
    var keys: [String] = []
    for index in 0..<items.count {
      let offset = try block.item(at: items.start + index * items.width, isWide: items.isWide)
      guard try block.tag(offset) == .text else { throw .malformed("a shared key is not a string", offset: offset) }
      let content = try block.content(offset)
      guard content.count <= SharedKeys.maximumLength else {
        throw .malformed("a shared key has more than \(SharedKeys.maximumLength) bytes", offset: offset)
      }
      guard let key = String(validating: content, as: UTF8.self) else {
        throw .malformed("a shared key is not valid UTF-8", offset: offset)
      }
      keys.append(key)
    }
    self.init(keys)
  }

  private static func member(_ key: String) -> [UInt8] {
    var key = key
    var text: [UInt8] = [UInt8(ascii: "\"")]
    key.withUTF8 { JSONString.encode(UnsafeRawBufferPointer($0), into: &text) }
    return text + [UInt8(ascii: "\""), UInt8(ascii: ":")]
  }
}
