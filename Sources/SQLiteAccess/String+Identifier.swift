extension String {
  /// The string as an SQL identifier between double quotes, those inside it doubled.
  public var sqlIdentifier: String {
    // By scalars: a quotation mark with an accent is one character, which is not equal to the mark.
    let parts = unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
  }
}
