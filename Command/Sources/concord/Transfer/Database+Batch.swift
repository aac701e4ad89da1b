import Concordance

extension Database {
  /// Runs a block in a batch and throws the error of the block itself, which has the message and exit status for the
  /// user, instead of the error of ``Database/inBatch(using:)`` that wraps it.
  func inCommandBatch<T>(_ block: () throws -> T) throws -> T {
    do {
      return try inBatch(using: block)
    } catch let error as CBLError {
      throw error.underlyingError ?? error
    }
  }
}
