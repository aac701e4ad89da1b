/// The arguments of a roff request: words, or text in quotation marks in which `""` stands for a quotation mark.
struct RoffArguments {
  private(set) var words: [String] = []

  init(_ text: Substring, _ escapes: inout RoffEscapes) {
    var rest = text[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard let first = rest.first, !rest.hasPrefix("\\\"") else { return }
      var word = ""
      if first == "\"" {
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
          if character == "\"" {
            guard rest.first == "\"" else { break }
            rest = rest.dropFirst()
          }
          word.append(character)
        }
      } else {
        while let character = rest.first, character != " ", character != "\t" {
          word.append(rest.removeFirst())
          // An escaped space belongs to the word.
          if character == "\\", let next = rest.first {
            if next == "\"" { break }
            word.append(next)
            rest = rest.dropFirst()
          }
        }
      }
      words.append(escapes.text(word))
    }
  }
}
