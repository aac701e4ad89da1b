/// A row of a query with full-text conditions, with the matching texts and the positions of the matches.
///
/// ```swift
/// for case let row as FullTextQueryRow in try query.run() {
///   print(row.fullTextMatched ?? "", row.matchCount, row.textRange(ofMatch: 0))
/// }
/// ```
public final class FullTextQueryRow: QueryRow {
  /// A string of the document and the ranges that match.
  public struct MatchedText: Hashable, Sendable {
    /// The path of the string: `name`, `reviews[2].content`.
    public let path: String
    /// The string.
    public let text: String
    /// The ranges of the matches in the UTF-8 of the string, in bytes, in order.
    public let ranges: [Range<Int>]
  }

  /// The matching strings, in the order of the fields of the index.
  public let matchedTexts: [MatchedText]
  private let matches: [(text: String, range: Range<Int>)]

  init(
    _ result: Result, documentID: String, sequence: UInt64, in collection: Collection, matchedTexts: [MatchedText]
  ) {
    self.matchedTexts = matchedTexts
    matches = matchedTexts.flatMap { text in text.ranges.map { (text.text, $0) } }
    super.init(result, documentID: documentID, sequence: sequence, in: collection)
  }

  /// The first matching string; nil if the match has no position, as for `NOT`.
  public var fullTextMatched: String? { matchedTexts.first?.text }

  /// The number of matches.
  public var matchCount: Int { matches.count }

  /// Returns the range of a match in its string.
  ///
  /// - Parameter number: the number of the match, starting at 0.
  /// - Returns: the range in ``text(ofMatch:)``; nil if there is no such match.
  public func textRange(ofMatch number: Int) -> Range<String.Index>? {
    guard matches.indices.contains(number) else { return nil }
    let (text, range) = matches[number]
    let bytes = text.utf8
    return bytes.index(
      bytes.startIndex, offsetBy: range.lowerBound)..<bytes.index(
        bytes.startIndex, offsetBy: range.upperBound)
  }

  /// Returns the string of a match.
  ///
  /// - Parameter number: the number of the match, starting at 0.
  /// - Returns: the string; nil if there is no such match.
  public func text(ofMatch number: Int) -> String? { matches.indices.contains(number) ? matches[number].text : nil }
}
