import JSONText

/// The canonical JSON text of a value: no white space, members sorted by the bytes of their keys, only the first of
/// duplicate keys, whole numbers as integers, and only the escapes that JSON requires.
///
/// Arrays and objects are equal if their canonical texts are, so SQLite can compare, group and index them. The form
/// follows RFC 8785, except that keys are sorted by UTF-8 instead of UTF-16 and integers keep all digits.
enum CanonicalJSON {
  static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.bytes
  }

  private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value {
    case .double(let number): write(number, to: &writer)
    case .array(let elements):
      writer.array { writer in
        for element in elements { write(element, to: &writer) }
      }
    case .object(let members):
      writer.object { writer in
        for member in sorted(members) {
          writer.member(member.key) { write(member.value, to: &$0) }
        }
      }
    default: writer.write(value)
    }
  }

  private static func write(_ number: Double, to writer: inout JSONWriter) {
    if let integer = Int64(exactly: number) {
      writer.write(integer)
    } else if let integer = UInt64(exactly: number) {
      writer.write(.uint64(integer))
    } else {
      writer.write(number)
    }
  }

  private static func sorted(_ members: [JSONMember]) -> [JSONMember] {
    // Swift does not guarantee that its sort is stable, so equal keys are compared by position.
    let ordered = members.enumerated().sorted { one, other in
      let order = QueryValue.compareBytes(one.element.key.utf8, other.element.key.utf8)
      return order != 0 ? order < 0 : one.offset < other.offset
    }
    var result: [JSONMember] = []
    for (_, member) in ordered {
      if let last = result.last, last.key.utf8.elementsEqual(member.key.utf8) { continue }
      result.append(member)
    }
    return result
  }
}
