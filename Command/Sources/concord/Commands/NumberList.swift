import ArgumentParser

/// The factors of rankings as an argument: `1,0.5`.
struct NumberList {
  let numbers: [Double]

  /// - Throws: `ValidationError` for a factor that is negative or not a number, or if no factor is positive.
  init(parsing argument: String) throws {
    numbers = try argument.split(separator: ",", omittingEmptySubsequences: false).enumerated().map { index, text in
      guard let number = Double(text), number.isFinite, number >= 0 else {
        throw ValidationError("Factor \(index + 1), \"\(text)\", must be a number of 0 or more, as in 1,0.5.")
      }
      return number
    }
    if numbers.allSatisfy({ $0 == 0 }) { throw ValidationError("At least one factor must be greater than 0.") }
  }
}
