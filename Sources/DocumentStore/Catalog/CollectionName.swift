import SQLiteAccess

/// The name of a collection in its scope: `inventory.hotels`.
public struct CollectionName: Hashable, Sendable, CustomStringConvertible {
  /// The default scope, and the name of the collection that always exists.
  public static let defaultName = "_default"

  /// The collection that always exists: `_default._default`.
  public static let `default` = CollectionName(validScope: defaultName, validName: defaultName)

  /// The scope's name.
  public let scope: String
  /// The collection's name in its scope.
  public let name: String

  /// Both names, joined by a dot.
  public var description: String { "\(scope).\(name)" }

  /// Validates and creates a name.
  ///
  /// A name consists of 1 to 251 of the characters `A-Z a-z 0-9 _ - %` and does not begin with `_` or `%`, except for
  /// `_default`. Names are case-sensitive. These are the rules of Couchbase Lite.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/badName``, whose message states the rules.
  public init(_ name: String, scope: String = CollectionName.defaultName) throws {
    try CollectionName.check(name, "collection")
    try CollectionName.check(scope, "scope")
    self.name = name
    self.scope = scope
  }

  init(validScope scope: String, validName name: String) {
    self.scope = scope
    self.name = name
  }

  private static func check(_ name: String, _ kind: String) throws {
    if name == defaultName { return }
    let isAllowed = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "%"):
        true
      default: false
      }
    }
    guard isAllowed, (1...251).contains(name.utf8.count), !name.hasPrefix("_"), !name.hasPrefix("%") else {
      throw StoreError(
        .badName,
        "\"\(name)\" is not a valid name for a \(kind): a name consists of 1 to 251 of the characters "
          + "A-Z a-z 0-9 _ - % and does not begin with _ or %")
    }
  }
}
