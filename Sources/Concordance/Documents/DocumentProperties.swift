import JSONText

/// The properties of a document in the order of its text, found by key in O(1).
struct DocumentProperties: Sendable {
  private(set) var members: [JSONMember] = []
  /// By the bytes of the keys, as JSON tells them apart: equal strings in Swift may be spelt in two ways.
  private var positions: [[UInt8]: Int] = [:]

  init() {}

  /// The members of an object. Where a key stands twice the first counts, as for SQLite's `json_extract`.
  init(_ members: [JSONMember]) {
    for member in members where positions[Array(member.key.utf8)] == nil {
      positions[Array(member.key.utf8)] = self.members.count
      self.members.append(member)
    }
  }

  /// Parses the text of a document.
  init(json: [UInt8]) throws {
    let value = try JSONParser.withShared { parser in
      try json.withUnsafeBytes { JSONValue(try parser.parse($0)) }
    }
    if case .object(let members) = value { self.init(members) } else { self.init() }
  }

  subscript(key: String) -> JSONValue? {
    get { positions[Array(key.utf8)].map { members[$0].value } }
    set {
      let bytes = Array(key.utf8)
      switch (positions[bytes], newValue) {
      case (let position?, let value?): members[position].value = value
      case (nil, let value?):
        positions[bytes] = members.count
        members.append(JSONMember(key, value))
      case (let position?, nil):
        members.remove(at: position)
        positions[bytes] = nil
        for later in members[position...] { positions[Array(later.key.utf8)]? -= 1 }
      case (nil, nil): break
      }
    }
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.write(.object(members))
    return writer.bytes
  }
}
