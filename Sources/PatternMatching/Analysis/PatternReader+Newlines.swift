extension PatternReader {
  /// An edit that excludes U+000A from the texts that a part of a pattern matches.
  struct NewlineEdit {
    /// The replaced characters, as positions in ``PatternReader/text``; an empty range for an insertion.
    let range: Range<Int>
    let replacement: String
  }

  /// Replaces the element that begins at `start` and ends before the current position.
  mutating func replace(from start: Int, with replacement: String) {
    newlineEdits.append(NewlineEdit(range: start..<index, replacement: replacement))
  }

  /// Inserts an assertion before the element that begins at `start` and ends before the current position, for elements
  /// that cannot be written as a negated class.
  mutating func guardAgainstNewline(from start: Int) {
    newlineEdits.append(NewlineEdit(range: start..<start, replacement: #"(?:(?!\n)"#))
    newlineEdits.append(NewlineEdit(range: index..<index, replacement: ")"))
  }

  /// Adds U+000A to the negated class whose first character is at the current position.
  mutating func addNewlineToClass() {
    // A closing bracket or a hyphen without a backslash is literal only as the first character.
    let isLiteralAsFirst = peek == "]" || peek == "-"
    newlineEdits.append(NewlineEdit(range: index..<index, replacement: isLiteralAsFirst ? #"\n\"# : #"\n"#))
  }

  /// The text of the pattern with all ``newlineEdits`` applied.
  var withoutNewlines: String {
    var result = String.UnicodeScalarView()
    var offset = 0
    for edit in newlineEdits {
      result += text[offset..<edit.range.lowerBound]
      result += edit.replacement.unicodeScalars
      offset = edit.range.upperBound
    }
    result += text[offset...]
    return String(result)
  }
}

extension Unicode.Scalar {
  /// The ASCII letter in its other case: `\S` is the complement of `\s`.
  var inOtherCase: Unicode.Scalar { Unicode.Scalar(UInt8(truncatingIfNeeded: value ^ 0x20)) }
}
