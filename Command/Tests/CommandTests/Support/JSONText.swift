import Foundation

/// A printed JSON object: its values, and its keys in the order of the text.
struct JSONText {
  let members: [String: Any]
  /// The keys of the outermost object.
  let keys: [String]

  struct NotAnObject: Error { let text: String }

  init(_ text: String) throws {
    guard let members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
      throw NotAnObject(text: text)
    }
    self.members = members
    keys = JSONText.keys(of: Array(text.utf8))
  }

  func string(_ key: String) -> String? { members[key] as? String }
  func int(_ key: String) -> Int? { members[key] as? Int }
  func bool(_ key: String) -> Bool? { members[key] as? Bool }
  func object(_ key: String) -> [String: Any]? { members[key] as? [String: Any] }
  func objects(_ key: String) -> [[String: Any]]? { members[key] as? [[String: Any]] }

  /// Returns the strings at depth 1 that precede a colon.
  private static func keys(of text: [UInt8]) -> [String] {
    var keys: [String] = []
    var depth = 0
    var position = 0
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let start = position + 1
        position = start
        while position < text.count, text[position] != UInt8(ascii: "\"") {
          position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        if depth == 1, position + 1 < text.count, text[position + 1] == UInt8(ascii: ":") {
          keys.append(String(decoding: text[start..<position], as: UTF8.self))
        }
      default: break
      }
      position += 1
    }
    return keys
  }
}
