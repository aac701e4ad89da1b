/// Collects the cells of a sheet.
final class SheetHandler: XMLHandler {
  private let strings: [String]
  var grid: SheetText
  private var (row, column) = (0, 0)
  private var type = ""
  private var value = ""
  private var isInValue = false
  private var isPhonetic = false

  init(strings: [String], limit: Int) {
    self.strings = strings
    grid = SheetText(limit: limit)
  }

  func start(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "row":
      row = attributes["r"].flatMap(Int.init) ?? row &+ 1
      column = 0
    case "c":
      column = attributes["r"].flatMap(SheetHandler.column) ?? column &+ 1
      type = attributes["t"] ?? ""
      value = ""
    case "rPh": isPhonetic = true
    case "v", "t": isInValue = true
    default: break
    }
  }

  func end(_ name: String) {
    switch name {
    case "rPh": isPhonetic = false
    case "v", "t": isInValue = false
    case "c":
      switch type {
      case "s":
        let index = Int(value) ?? -1
        value = strings.indices.contains(index) ? strings[index] : ""
      // The words that Excel displays in English.
      case "b": value = value == "1" ? "TRUE" : value == "0" ? "FALSE" : value
      case "str", "inlineStr": value = EscapedText.decode(value)
      default: break
      }
      grid.add(value, row: row, column: column)
    default: break
    }
  }

  func text(_ text: String) {
    if isInValue, !isPhonetic { value += text }
  }

  /// Returns the column of a cell reference: 28 for `AB12`.
  private static func column(_ reference: String) -> Int? {
    var column = 0
    for byte in reference.utf8.prefix(while: { (0x41...0x5A).contains($0) }) {
      guard column < 1 << 20 else { return nil }
      column = column * 26 + Int(byte - 0x40)
    }
    return column > 0 ? column : nil
  }
}
