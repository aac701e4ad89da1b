import Foundation

/// Ends a command with a message on the standard error.
struct CommandFailure: Error {
  /// What happened, where, and what to do.
  let message: String
  /// The exit status: 1 if nothing was found, 2 for an error.
  var status: Int32 = ExitStatus.error

  init(_ message: String, status: Int32 = ExitStatus.error) {
    self.message = message
    self.status = status
  }
}

/// The exit statuses of all commands, as in grep.
enum ExitStatus {
  /// Something was found, or the command succeeded.
  static let success: Int32 = 0
  /// Nothing was found, a condition of `put` is not met, or `verify` found damage.
  static let nothingFound: Int32 = 1
  /// An error, including invalid arguments.
  static let error: Int32 = 2
  /// Ctrl-C: 128 plus the number of the signal.
  static let interrupted = interrupted(by: SIGINT)

  /// A signal ended the command before it was done, as shells report it.
  static func interrupted(by signal: Int32) -> Int32 { 128 + signal }
}
