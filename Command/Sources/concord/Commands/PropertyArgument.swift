/// A property among the arguments of a command: `name`, `geo.alt`, `reviews[].content`, `*`.
enum PropertyArgument {
  /// Whether a text looks like a property. A name may hold anything, but what looks like an expression is hardly meant as one.
  static func isProperty(_ text: String) -> Bool {
    text.contains("`") || !text.contains { "(),'\"".contains($0) } && !text.contains(where: \.isNewline)
  }

  /// What to do about a text that looks like something else.
  static func advice(about text: String) -> String {
    text.contains(",") && !text.contains("(")
      ? "write them apart, \(text.split(separator: ",").map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")), "
        + "or in backticks, `\(text)`, for a name with a comma"
      : "\(text) is an expression; in backticks, `\(text)`, it is the name of a property"
  }
}
