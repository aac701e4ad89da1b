/// A change of a document that is not in a segment yet.
package final class RecentDocument: Sendable {
  /// The row in the index.
  let row: UInt32
  let shard: Int32
  /// The sequence of the change in its shard.
  let sequence: Int64
  /// The document; nil if it was deleted.
  let added: ForwardDocument?
  /// The terms of the document's version in the segments, which the change hides; nil if there is none.
  let removed: TermSequence?

  init(row: UInt32, shard: Int32, sequence: Int64, added: ForwardDocument?, removed: TermSequence?) {
    self.row = row
    self.shard = shard
    self.sequence = sequence
    self.added = added
    self.removed = removed
  }

  /// Returns the difference that the change makes to the document frequency of a term.
  func frequencyChange(_ term: [UInt8]) -> Int {
    (added?.terms.number(of: term) == nil ? 0 : 1) - (removed?.number(of: term) == nil ? 0 : 1)
  }
}
