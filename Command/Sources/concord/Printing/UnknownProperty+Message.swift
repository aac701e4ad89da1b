import Concordance

extension UnknownProperty {
  /// What to tell the user.
  var message: String { "no document has a property \(path)" + (suggestion.map { "; did you mean \($0)?" } ?? "") }
}
