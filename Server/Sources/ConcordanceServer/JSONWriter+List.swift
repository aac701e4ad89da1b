import JSONText

extension JSONWriter {
  /// Writes a member whose value is an array of objects.
  ///
  /// ```swift
  /// writer.list("terms", of: terms) { writer, term in writer.member("text", term.text) }
  /// ```
  mutating func list<Elements: Sequence, Failure: Error>(
    _ name: String, of elements: Elements, _ members: (inout JSONWriter, Elements.Element) throws(Failure) -> Void
  ) throws(Failure) {
    try member(name) { (writer) throws(Failure) in
      try writer.array { (writer) throws(Failure) in
        for element in elements {
          try writer.object { (writer) throws(Failure) in try members(&writer, element) }
        }
      }
    }
  }

  /// Writes a member whose value is an object.
  mutating func object<Failure: Error>(
    _ name: String, _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try member(name) { (writer) throws(Failure) in try writer.object(members) }
  }
}
