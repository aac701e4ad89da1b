import SQLiteAccess
import TextAnalysis

/// `concordance_collated(key, collation)`: the sort key of a string as text that is compared by bytes, namely ICU's
/// sort key in hexadecimal digits. Other sort keys are returned unchanged. It is used for columns of indexes, since the
/// schema of the file must not name custom collations.
///
/// Each connection has an instance, which is used by one thread at a time.
final class CollatedFunction: SQLFunction {
  private let collators = PreparedArguments<CollatorBox>()

  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    let argument = arguments[0]
    guard argument.type == .text else { return result.set(argument) }
    do {
      let box = try collators.value(for: arguments[from: 1]) {
        CollatorBox(try Collations.collator(named: arguments[1].string))
      }
      guard let collator = box.collator else { return result.set(argument) }
      result.set(.string(collator.sortKey(argument.string).hexadecimal), .exact)
    } catch {
      result.set(error)
    }
  }
}

/// A reference to a collator; nil means comparison by bytes.
private final class CollatorBox {
  let collator: Collator?

  init(_ collator: Collator?) { self.collator = collator }
}
