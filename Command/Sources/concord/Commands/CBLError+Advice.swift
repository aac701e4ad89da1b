import Concordance

extension CBLError {
  /// The message, and the command that repairs the fault, if there is one.
  var advice: String {
    switch recovery {
    case .rebuildIndexes: "\(message); run `concord optimize --rebuild`"
    case .verify: "\(message); run `concord verify` to see where"
    case .dropTextIndexes: "\(message); `concord drop-index` deletes indexes"
    case nil: message
    }
  }
}
