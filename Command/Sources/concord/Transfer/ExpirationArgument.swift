import ArgumentParser
import Concordance
import Foundation

/// A time as an argument, in the format of dates in documents: `2030-01-01`, `2030-01-01T12:00:00Z`.
struct ExpirationArgument: ExpressibleByArgument {
  let date: Date

  init?(argument: String) {
    // Accepts the same formats as dates in documents.
    guard let date = MutableDictionaryObject().setString(argument, forKey: "date").date(forKey: "date") else {
      return nil
    }
    self.date = date
  }

  /// Returns a date in that format.
  static func text(_ date: Date) -> String? {
    MutableDictionaryObject().setDate(date, forKey: "date").string(forKey: "date")
  }
}
