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
      result.set(.string(CollatedFunction.hexadecimal(collator.sortKey(argument.string))), .exact)
    } catch {
      result.set(error)
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[index * 2] = digits[Int(byte >> 4)]
        buffer[index * 2 + 1] = digits[Int(byte & 15)]
      }
      return bytes.count * 2
    }
  }
}

/// A reference to a collator; nil means comparison by bytes.
private final class CollatorBox {
  let collator: Collator?

  init(_ collator: Collator?) { self.collator = collator }
}
