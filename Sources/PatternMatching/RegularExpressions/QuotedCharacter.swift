extension String.UnicodeScalarView {
  /// Appends a character to a regular expression in which it is literal.
  ///
  /// A backslash escapes every ASCII character other than letters, digits and `_`. Other characters need no escape.
  mutating func append(quoted scalar: Unicode.Scalar) {
    if scalar.isASCII, !scalar.isASCIILetter, !scalar.isDigit, scalar != "_" { append("\\") }
    append(scalar)
  }
}
