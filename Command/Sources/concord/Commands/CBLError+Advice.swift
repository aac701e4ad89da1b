import Concordance

extension CBLError {
  /// The message, and the command or option that avoids the error, if there is one.
  var advice: String {
    switch recovery {
    case .rebuildIndexes: "\(message); run `concord optimize --rebuild`"
    case .verify: "\(message); run `concord verify` to see where"
    case .dropTextIndexes: "\(message); `concord drop-index` deletes indexes"
    case .raiseTimeLimit: "\(message) with --time-limit"
    case .freeSpace: "\(message); free space and try again"
    case .importCouchbaseLite: "\(message); run `concord -d NAME.concord import` with its path"
    case nil where isDatabaseReplaced: "\(message); start the command again"
    case nil: message
    }
  }
}
