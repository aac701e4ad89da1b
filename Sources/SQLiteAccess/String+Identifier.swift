extension String {
  /// The string as a double-quoted SQL identifier; embedded quotes are doubled.
  public var sqlIdentifier: String {
    // Compares scalars: a quotation mark with a combining accent is a different character.
    let parts = unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
  }
}
