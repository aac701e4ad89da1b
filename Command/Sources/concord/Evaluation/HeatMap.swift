import Foundation

/// A table of values as an SVG image: the darker a cell, the higher its value.
struct HeatMap {
  struct Cell {
    var x: Double
    var y: Double
    var value: Double
  }

  private let cells: [Cell]
  private let xLabel: String
  private let yLabel: String
  private let title: String
  private let scale: ClosedRange<Double>
  private static let (cellWidth, cellHeight, margin): (Double, Double, Double) = (64, 32, 72)

  /// - Parameter scale: the values of the lightest and the darkest cells.
  init(_ cells: [Cell], x: String, y: String, title: String, scale: ClosedRange<Double>) {
    self.cells = cells
    (xLabel, yLabel) = (x, y)
    self.title = title
    self.scale = scale
  }

  /// The image.
  var svg: String {
    let xs = Set(cells.map(\.x)).sorted()
    let ys = Set(cells.map(\.y)).sorted()
    let (cellWidth, cellHeight, margin) = (HeatMap.cellWidth, HeatMap.cellHeight, HeatMap.margin)
    let width = margin + cellWidth * Double(xs.count) + 16
    let height = margin + cellHeight * Double(ys.count) + 16
    var body = text(title, width / 2, 20, size: 15) + text(xLabel, margin + cellWidth * Double(xs.count) / 2, 44)
    body += text(yLabel, 20, margin - 8)
    for (column, x) in xs.enumerated() {
      body += text(HeatMap.text(x), margin + cellWidth * (Double(column) + 0.5), margin - 8)
    }
    for (row, y) in ys.enumerated() {
      body += text(HeatMap.text(y), margin - 24, margin + cellHeight * (Double(row) + 0.5) + 4)
    }
    for cell in cells {
      guard let column = xs.firstIndex(of: cell.x), let row = ys.firstIndex(of: cell.y) else { continue }
      let (left, top) = (margin + cellWidth * Double(column), margin + cellHeight * Double(row))
      let position = (cell.value - scale.lowerBound) / max(1e-12, scale.upperBound - scale.lowerBound)
      let share = position.isNaN ? 0 : min(max(0, position), 1)
      // From white to the blue of the curves. Text is white on dark cells.
      body += String(
        format:
          "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"rgb(%d,%d,%d)\" stroke=\"#ffffff\"/>\n",
        left, top, cellWidth, cellHeight, Int(255 - 255 * share), Int(255 - 141 * share), Int(255 - 77 * share))
      body += text(
        String(format: "%.4f", cell.value), left + cellWidth / 2, top + cellHeight / 2 + 4,
        color: share > 0.6 ? "#ffffff" : "#000000")
    }
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" "
      + "style=\"max-width: \(Int(width))px\" font-family=\"sans-serif\" font-size=\"12\">\n\(body)</svg>\n"
  }

  /// Returns a number without a fraction if it is a whole number.
  static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
  }

  private func text(_ text: String, _ x: Double, _ y: Double, size: Int = 12, color: String = "#000000") -> String {
    String(
      format: "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"%d\" fill=\"%@\">", x, y, size, color)
      + SVGPlot.escaped(text) + "</text>\n"
  }
}
