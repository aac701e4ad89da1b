/// The postings of a term, of which those leaves of long doclists are read that are asked for: each has a bound of the scores on it.
/// Short doclists, and those without bounds, are read as a whole.
final class BoundedPostings {
  /// The leaves of all long doclists, in the order of their rows; no row can be on two of them.
  let leaves: [Leaf]
  /// What stands in the other doclists.
  let whole: Postings
  /// How many documents hold the term.
  let documentFrequency: Int

  struct Leaf {
    fileprivate let doclist: BoundedDoclist
    fileprivate let place: Int
    let firstRow: UInt32
    let lastRow: UInt32
    /// The highest saturation that a document on the leaf may have, see ``Scorer``.
    let saturation: Double
  }

  private let readings: LeafReadings
  /// Rows of long doclists for which younger segments say what holds, in order.
  private let superseded: [UInt32]
  private var known: [Int: Postings] = [:]

  /// - Parameters:
  ///   - doclists: the long doclists of the term.
  ///   - others: its other doclists, the oldest first, delete markers among them, each with the number of younger segments.
  ///   - scorer: tells what the bounds are with its ranking.
  ///   - readings: reads leaves.
  /// - Returns: nil where bounds cannot be used with this ranking, or long doclists have rows between those of others.
  /// - Throws: ``LeafReadings/Exhausted``, ``DoclistDamage``, `DatabaseError`.
  init?(
    _ doclists: [BoundedDoclist], others: [(age: Int, postings: Postings)], columnCount: Int, _ scorer: Scorer,
    _ readings: LeafReadings
  ) throws {
    let doclists = doclists.sorted { $0.firstRow < $1.firstRow }
    for (one, next) in zip(doclists, doclists.dropFirst()) where one.lastRow >= next.firstRow { return nil }
    var leaves: [Leaf] = []
    for doclist in doclists {
      guard let factor = doclist.bounds.basis.factor(to: scorer.basis), factor <= BoundedPostings.largestFactor else {
        return nil
      }
      for (place, leaf) in doclist.bounds.leaves.enumerated() {
        let saturation = scorer.saturation(ofFrequency: Double(leaf.frequency) * factor) * BoundedPostings.rounding
        leaves.append(
          Leaf(
            doclist: doclist, place: place, firstRow: leaf.firstRow, lastRow: doclist.lastRow(place),
            saturation: saturation))
      }
    }
    var overlay = DoclistOverlay(doclists, columnCount: columnCount, readings)
    for (age, postings) in others { try overlay.add(postings, age: age) }
    let rest = overlay.finish()
    self.leaves = leaves
    self.readings = readings
    (whole, superseded) = (rest.whole, rest.superseded)
    documentFrequency =
      whole.count + doclists.reduce(0) { $0 + $1.bounds.documentCount } - rest.supersededDocumentCount
  }

  /// With a larger factor, see ``FrequencyBasis``, bounds spare nothing.
  private static let largestFactor = 1.5
  /// More than what is lost when numbers are rounded.
  private static let rounding = 1 + 1e-9

  /// No document has a higher row.
  var lastRow: Int { max(whole.lastRow, leaves.last.map { Int($0.lastRow) } ?? -1) }

  /// The documents on a leaf.
  ///
  /// - Throws: ``LeafReadings/Exhausted``, ``DoclistDamage``, `DatabaseError`.
  func postings(_ number: Int) throws -> Postings {
    if let postings = known[number] { return postings }
    let leaf = leaves[number]
    let all = try readings.postings(leaf.doclist, leaf.place)
    let postings = all.filtered { row, frequencies in
      frequencies != 0 && (superseded.isEmpty || !superseded.containsSorted(row))
    }
    known[number] = postings
    return postings
  }
}

/// Reads leaves, as many as are worth it.
final class LeafReadings {
  /// Thrown where so many leaves are asked for that the doclists had better be read as a whole.
  struct Exhausted: Error {}

  private let reader: LeafReader
  /// How many leaves may still be read.
  private(set) var budget: Int
  private var known: [Int64: Postings] = [:]

  init(_ reader: LeafReader, budget: Int) {
    self.reader = reader
    self.budget = budget
  }

  /// The postings on a leaf of a doclist, delete markers among them. A leaf that is asked for again is not read again.
  func postings(_ doclist: BoundedDoclist, _ place: Int) throws -> Postings {
    let block = doclist.segment.block(doclist.bounds.leaves[place].number)
    if let postings = known[block] { return postings }
    guard budget > 0 else { throw Exhausted() }
    budget -= 1
    let postings = try doclist.postings(place, reader)
    known[block] = postings
    return postings
  }
}
