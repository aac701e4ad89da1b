/// A change of the markup of a page.
struct HTMLEdit {
  /// The bytes of the page that are replaced; empty for an insertion.
  var range: Range<Int>
  var replacement: String
}
