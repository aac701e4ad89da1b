import GRDBSQLite
import TextAnalysis

/// `concordance_collated(key, collation)`: the sort key of a string as a text that is compared by bytes, the hexadecimal digits of
/// ICU's key. Other sort keys stay as they are. It is for columns of indexes, which name no collation of ours.
///
/// One object is made for each connection, which belongs to one thread at a time.
final class CollatedFunction {
  private let collators = PreparedArguments<CollatorBox>()

  /// Adds the function to a connection.
  ///
  /// - Returns: a code of SQLite.
  static func register(on connection: OpaquePointer, flags: Int32) -> Int32 {
    sqlite3_create_function_v2(
      connection, "concordance_collated", 2, flags | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(CollatedFunction()).toOpaque(),
      { context, count, arguments in
        guard let owner = sqlite3_user_data(context) else { return }
        Unmanaged<CollatedFunction>.fromOpaque(owner).takeUnretainedValue()
          .call(context, UnsafeBufferPointer(start: arguments, count: Int(count)))
      }, nil, nil,
      // SQLite calls this after a failure as well.
      { owner in if let owner { Unmanaged<CollatedFunction>.fromOpaque(owner).release() } })
  }

  private func call(_ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
    let argument = SQLArgument(handle: arguments[0])
    guard argument.type == SQLITE_TEXT else { return sqlite3_result_value(context, arguments[0]) }
    let result = SQLResult(context: context)
    do {
      let box = try collators.value(for: arguments[1...1]) {
        CollatorBox(
          try Collations.collator(named: String(decoding: SQLArgument(handle: arguments[1]).bytes, as: UTF8.self)))
      }
      guard let collator = box.collator else { return sqlite3_result_value(context, arguments[0]) }
      let key = collator.sortKey(String(decoding: argument.bytes, as: UTF8.self))
      result.set(.string(CollatedFunction.hexadecimal(key)), .exact)
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

/// A collator as an object; nil compares by bytes.
private final class CollatorBox {
  let collator: Collator?

  init(_ collator: Collator?) { self.collator = collator }
}
