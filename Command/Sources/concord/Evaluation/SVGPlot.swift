import Foundation

/// A plot as an SVG image, with axes and labels.
struct SVGPlot {
  private static let (width, height, margin): (Double, Double, Double) = (640, 360, 56)
  /// Colours that colour-blind people can distinguish: Okabe and Ito (2008).
  private static let colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]

  private let xRange: ClosedRange<Double>
  private let yRange: ClosedRange<Double>
  private var body = ""

  init(x: ClosedRange<Double>, y: ClosedRange<Double>, xLabel: String, yLabel: String, title: String) {
    (xRange, yRange) = (x, y)
    let (width, height, margin) = (SVGPlot.width, SVGPlot.height, SVGPlot.margin)
    text(title, width / 2, 20, anchor: "middle", size: 15)
    text(xLabel, width / 2, height - 10, anchor: "middle")
    text(yLabel, 14, margin - 24, anchor: "start")
    for step in 0...4 {
      let y = yRange.lowerBound + (yRange.upperBound - yRange.lowerBound) * Double(step) / 4
      line(margin, self.y(y), width - margin / 2, self.y(y), "#dddddd")
      text(String(format: "%.2f", y), margin - 6, self.y(y) + 4, anchor: "end")
    }
    line(margin, height - margin, width - margin / 2, height - margin, "#444444")
  }

  /// The image.
  var svg: String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(SVGPlot.width)) \(Int(SVGPlot.height))\" "
      + "font-family=\"sans-serif\" font-size=\"12\">\n\(body)</svg>\n"
  }

  /// Draws a line through points, with its name in the legend.
  mutating func addCurve(_ points: [(x: Double, y: Double)], name: String, number: Int) {
    let color = SVGPlot.colors[number % SVGPlot.colors.count]
    let path = points.map { String(format: "%.1f,%.1f", x($0.x), y($0.y)) }.joined(separator: " ")
    body += "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\" points=\"\(path)\"/>\n"
    let top = SVGPlot.margin + 16 * Double(number)
    line(SVGPlot.width - 190, top, SVGPlot.width - 166, top, color)
    text(name, SVGPlot.width - 160, top + 4, anchor: "start")
  }

  /// Draws a bar from 0 for each value, with its label as a tooltip.
  mutating func addBars(_ values: [(label: String, value: Double)]) {
    for (number, (label, value)) in values.enumerated() {
      let (left, right) = (x(Double(number)), x(Double(number + 1)))
      let (top, bottom) = (min(y(value), y(0)), max(y(value), y(0)))
      body += String(
        format: "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%@\">", left, top,
        max(0.5, (right - left) * 0.9), max(0.3, bottom - top), value < 0 ? "#d55e00" : "#0072b2")
      body += "<title>\(SVGPlot.escaped(label)): \(String(format: "%+.4f", value))</title></rect>\n"
    }
  }

  /// Draws the label of a value on the x axis.
  mutating func addTick(_ value: Double, _ label: String) {
    text(label, x(value), SVGPlot.height - SVGPlot.margin + 16, anchor: "middle")
  }

  private func x(_ value: Double) -> Double {
    let inner = SVGPlot.width - 1.5 * SVGPlot.margin
    return SVGPlot.margin + inner * (value - xRange.lowerBound) / max(1e-12, xRange.upperBound - xRange.lowerBound)
  }

  private func y(_ value: Double) -> Double {
    let inner = SVGPlot.height - 2 * SVGPlot.margin
    return SVGPlot.height - SVGPlot.margin
      - inner * (value - yRange.lowerBound) / max(1e-12, yRange.upperBound - yRange.lowerBound)
  }

  private mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String) {
    body += String(
      format: "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%@\"/>\n", x1, y1, x2, y2, color)
  }

  private mutating func text(_ text: String, _ x: Double, _ y: Double, anchor: String, size: Int = 12) {
    body += String(format: "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%@\" font-size=\"%d\">", x, y, anchor, size)
    body += SVGPlot.escaped(text) + "</text>\n"
  }

  /// Returns text with the special characters of XML escaped.
  static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }
}
