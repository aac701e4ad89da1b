import JSONText
import SQLiteAccess

/// `concordance_each(value)`: the elements of an array or the members of an object as rows, for UNNEST and ANY.
///
/// ```sql
/// SELECT e.key, e.value FROM documents, concordance_each(concordance_value(body, 'reviews')) AS e
/// ```
///
/// `key` is the position or the name of the member; `value` is in the exact encoding (``SQLEncoding``). Any other value
/// gives no rows. SQLite's json_each cannot be used because it does not accept blobs in this encoding and converts
/// Booleans to numbers.
final class EachTableFunction: TableValuedFunction {
  static let name = "concordance_each"

  fileprivate static let keyColumn: Int32 = 0
  fileprivate static let valueColumn: Int32 = 1
  private static let inputColumn: Int32 = 2

  init() { super.init(columns: "key, value, input HIDDEN") }

  override func choose(_ plan: RowTablePlan) -> Bool { plan.useArgument(EachTableFunction.inputColumn, rows: 10) }

  override func rows(plan: Int32, _ arguments: SQLArguments) -> RowIterator? {
    guard let input = arguments.first, input.type == .blob else { return nil }
    return EachIterator(input.bytes)
  }
}

/// Iterates over the items of an array or object. It owns a copy of the text, because SQLite keeps the text only during
/// the call.
private final class EachIterator: RowIterator {
  private let text: UnsafeMutableRawBufferPointer
  private var scanner: JSONContainerScanner
  private var item: JSONContainerScanner.Item?
  private var position = -1

  init(_ source: UnsafeRawBufferPointer) {
    text = .allocate(byteCount: source.count, alignment: 1)
    text.copyMemory(from: source)
    scanner = JSONContainerScanner(UnsafeRawBufferPointer(text), of: text.indices)
    super.init()
    advance()
  }

  deinit { text.deallocate() }

  override var isAtEnd: Bool { item == nil }
  override var rowID: Int64 { Int64(position) }

  override func advance() {
    item = scanner.next()
    position += 1
  }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    switch column {
    case EachTableFunction.keyColumn: setKey(result)
    case EachTableFunction.valueColumn: setValue(result)
    default: result.set(.missing, .exact)
    }
  }

  private func setKey(_ result: SQLResult) {
    guard let key = item?.key else { return result.set(.integer(Int64(position)), .exact) }
    result.set(.string(JSONString.string(bytes(key))), .exact)
  }

  private func setValue(_ result: SQLResult) {
    guard let item, let slice = JSONSlice(bytes(item.value)) else { return result.set(.missing, .exact) }
    result.set(slice, .exact)
  }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[range])
  }
}
