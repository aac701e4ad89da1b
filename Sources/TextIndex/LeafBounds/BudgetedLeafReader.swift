/// Reads a limited number of leaves in a transaction.
final class BudgetedLeafReader {
  /// Thrown if so many leaves are requested that the doclists should be read completely.
  struct Exhausted: Error {}

  private let reader: LeafReader
  /// The number of leaves that may still be read.
  private(set) var budget: Int
  private var known: [LeafKey: Postings] = [:]

  private struct LeafKey: Hashable {
    let segment: Int64
    let firstLeaf: Int64
    let leafIndex: Int
  }

  init(_ reader: LeafReader, budget: Int) {
    self.reader = reader
    self.budget = budget
  }

  /// Throws ``Exhausted`` if reading this many further leaves would exceed the limit.
  func require(_ count: Int) throws {
    guard count <= budget else { throw Exhausted() }
  }

  /// Reads the postings on a leaf of a doclist, including delete markers. A leaf is read only once.
  ///
  /// - Throws: ``Exhausted``, ``DoclistCorruption``, `DatabaseError`.
  func postings(_ doclist: BoundedDoclist, _ leafIndex: Int) throws -> Postings {
    let key = LeafKey(segment: doclist.segment.id, firstLeaf: doclist.firstLeaf, leafIndex: leafIndex)
    if let postings = known[key] { return postings }
    guard budget > 0 else { throw Exhausted() }
    budget -= 1
    let postings = try doclist.postings(leafIndex, reader)
    known[key] = postings
    return postings
  }
}
