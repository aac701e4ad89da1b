import ArgumentParser
import Concordance
import Foundation

/// A time as an argument, written as documents hold dates: `2030-01-01`, `2030-01-01T12:00:00Z`.
struct ExpirationArgument: ExpressibleByArgument {
  let date: Date

  init?(argument: String) {
    // What a document takes for a date is one here, too.
    guard let date = MutableDictionaryObject().setString(argument, forKey: "date").date(forKey: "date") else {
      return nil
    }
    self.date = date
  }

  /// A date in that form.
  static func text(_ date: Date) -> String? {
    MutableDictionaryObject().setDate(date, forKey: "date").string(forKey: "date")
  }
}
