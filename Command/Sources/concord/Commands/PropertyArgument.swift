/// A property given as an argument: `name`, `geo.alt`, `reviews[].content`, `*`.
enum PropertyArgument {
  /// Returns whether a text looks like a property. A name may contain any character, but text that looks like an
  /// expression is rarely meant as a name.
  static func isProperty(_ text: String) -> Bool {
    text.contains("`") || !text.contains { "(),'\"".contains($0) } && !text.contains(where: \.isNewline)
  }

  /// Returns advice on correcting a text that is not a property.
  static func advice(about text: String) -> String {
    text.contains(",") && !text.contains("(")
      ? "separate them with spaces, \(text.split(separator: ",").map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")), "
        + "or in backticks, `\(text)`, for a name with a comma"
      : "\(text) is an expression; in backticks, `\(text)`, it is the name of a property"
  }
}
