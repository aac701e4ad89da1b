import Concordance
import Foundation

extension Collection {
  /// Returns the full-text index that a search uses; nil if the collection has none. The search then throws an error.
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
