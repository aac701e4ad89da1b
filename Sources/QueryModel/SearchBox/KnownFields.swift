/// The field names that a search box accepts before a colon.
struct KnownFields: Sendable {
  private let exact: Set<String>
  /// The names, keyed by their lower-case forms. Names that differ only in case are omitted, because only the exact
  /// name identifies them.
  private let folded: [String: String]
  private let longest: Int

  init(_ names: [String]) {
    exact = Set(names)
    folded = Dictionary(grouping: exact, by: { $0.lowercased() }).compactMapValues { same in
      same.count == 1 ? same[0] : nil
    }
    // The upper-case and lower-case forms of a letter can differ in length, by a factor of 3 at most.
    longest = 3 * (names.map(\.utf8.count).max() ?? 0)
  }

  /// Returns the longest known name at `start` that is followed by a colon and text, and the offset of the colon.
  ///
  /// The longest name is returned because a name may contain colons: `dc:title:x`.
  func match(in source: QueryText, at start: Int) -> (name: String, colon: Int)? {
    var found: (name: String, colon: Int)?
    var end = start
    while end < source.bytes.count, end - start <= longest, source.whitespaceLength(at: end) == 0 {
      if source.bytes[end] == UInt8(ascii: ":"), end + 1 < source.bytes.count,
        source.whitespaceLength(at: end + 1) == 0, let name = name(source.text(SourceSpan(start..<end)))
      {
        found = (name, end)
      }
      end += 1
    }
    return found
  }

  private func name(_ text: String) -> String? {
    exact.contains(text) ? text : folded[text.lowercased()]
  }
}
