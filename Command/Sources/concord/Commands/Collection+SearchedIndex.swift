import Concordance
import Foundation

extension Collection {
  /// Returns the full-text index that a search uses, or nil if there is none. In that case, the search throws the error.
  ///
  /// - Parameter name: the value of `--index`.
  func searchedIndex(named name: String?) throws -> IndexDescription? {
    do { return try searchedIndexDescription(named: name) } catch let error as CBLError
      where error.code == CBLError.missingIndex
    {
      return nil
    }
  }
}
