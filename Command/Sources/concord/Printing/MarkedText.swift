import QueryModel

/// Splits text with highlighted matches into lines.
enum MarkedText {
  /// A piece of text that is entirely inside or entirely outside a match.
  struct Piece: Equatable {
    var text: String
    let isMatch: Bool

    init(_ text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  /// Splits a text at the boundaries of its matches, which are ascending ranges of UTF-8 bytes. A character that a
  /// match covers only partially is part of the match.
  static func pieces(of text: String, matches: [Range<Int>]) -> [Piece] {
    var line = Line()
    var position = 0
    var next = 0
    for character in text {
      let end = position + character.utf8.count
      while next < matches.count, matches[next].upperBound <= position { next += 1 }
      let isMatch = next < matches.count && matches[next].lowerBound < end
      line.append(character, isMatch)
      position = end
    }
    return line.pieces
  }

  /// Breaks a text into lines, at spaces if possible.
  static func wrapped(_ pieces: [Piece], columns: Int?) -> [[Piece]] {
    guard let columns else { return [pieces] }
    var lines: [Line] = []
    var line = Line()
    var word = Line()
    func breakLine() {
      lines.append(line)
      line = Line()
    }
    func endWord() {
      if line.width + word.width > columns, line.width > 0 { breakLine() }
      line.append(word)
      word = Line()
    }
    for piece in pieces {
      for character in piece.text {
        if character == " " || character == "\n" || character == "\t" {
          endWord()
          // The space at a line break is not shown.
          if line.width >= columns { breakLine() } else if line.width > 0 { line.append(" ", piece.isMatch) }
        } else {
          // A word longer than a line, or text of a script without spaces, is broken anywhere.
          if word.width + character.terminalWidth > columns { endWord() }
          word.append(character, piece.isMatch)
        }
      }
    }
    endWord()
    if line.width > 0 { lines.append(line) }
    return lines.map(\.pieces)
  }

  /// A line under construction and its width.
  private struct Line {
    private(set) var pieces: [Piece] = []
    private(set) var width = 0

    mutating func append(_ character: Character, _ isMatch: Bool) {
      width += character.terminalWidth
      if let last = pieces.indices.last, pieces[last].isMatch == isMatch {
        pieces[last].text.append(character)
      } else {
        pieces.append(Piece(String(character), isMatch: isMatch))
      }
    }

    mutating func append(_ other: Line) {
      for piece in other.pieces {
        for character in piece.text { append(character, piece.isMatch) }
      }
    }
  }
}
