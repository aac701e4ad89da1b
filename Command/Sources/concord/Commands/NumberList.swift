import ArgumentParser

/// The factors of rankings as an argument: `1,0.5`.
struct NumberList {
  let numbers: [Double]

  /// - Throws: `ValidationError` for a factor that is not a number from 0 to 1,000,000, or if no factor is positive.
  init(parsing argument: String) throws {
    numbers = try argument.split(separator: ",", omittingEmptySubsequences: false).enumerated().map { index, text in
      guard let number = Double(text), (0...1_000_000).contains(number) else {
        throw ValidationError("Factor \(index + 1), \"\(text)\", must be from 0 to 1000000, as in 1,0.5.")
      }
      return number
    }
    if numbers.allSatisfy({ $0 == 0 }) { throw ValidationError("At least one factor must be greater than 0.") }
  }
}
