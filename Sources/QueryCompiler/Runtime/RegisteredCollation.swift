import SQLiteAccess
import TextAnalysis

/// A collation that queries use. Its name encodes its options (``TextAnalysis/CollationOptions``).
final class RegisteredCollation: SQLCollation {
  private let collator: Collator

  private init(_ collator: Collator) { self.collator = collator }

  override class func collation(named name: String) -> SQLCollation? {
    CollationOptions(name: name).flatMap { try? Collator($0) }.map { RegisteredCollation($0) }
  }

  override func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    collator.compare(one, other)
  }
}
