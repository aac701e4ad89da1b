import Concordance

/// Plots of the first measure of a sweep: a curve for one parameter, and heat maps for two or more.
struct SweepPlots {
  /// A plot and the name of its file.
  typealias Plot = (name: String, svg: String)

  private let result: ParameterSweep.Result
  private let measure: String

  init(_ result: ParameterSweep.Result) {
    self.result = result
    measure = result.runs.first?.measures.first?.description ?? ""
  }

  /// The maximum number of heat maps. A sweep of more than two parameters has one for each combination of the others.
  private static let limit = 24

  /// The plots: with one parameter `sweep.svg`, otherwise `sweep-1.svg`, `sweep-2.svg` and so on.
  var plots: [Plot] {
    guard let parameters = result.combinations.first?.map(\.parameter), !parameters.isEmpty else { return [] }
    if parameters.count == 1 { return [("sweep", curve(parameters[0]))] }
    let means = result.runs.map { $0.means.first ?? 0 }
    let finite = means.filter(\.isFinite)
    let scale = (finite.min() ?? 0)...(finite.max() ?? 0)
    var groups: [(others: [Double], cells: [HeatMap.Cell])] = []
    for (combination, mean) in zip(result.combinations, means) {
      let values = combination.map(\.value)
      let cell = HeatMap.Cell(x: values[values.count - 1], y: values[values.count - 2], value: mean)
      let others = Array(values.dropLast(2))
      if groups.last?.others == others {
        groups[groups.count - 1].cells.append(cell)
      } else {
        groups.append((others, [cell]))
      }
    }
    return groups.prefix(SweepPlots.limit).enumerated().map { number, group in
      let fixed = zip(parameters, group.others).map { "\($0.rawValue) = \(HeatMap.text($1))" }.joined(separator: ", ")
      let map = HeatMap(
        group.cells, x: parameters[parameters.count - 1].rawValue, y: parameters[parameters.count - 2].rawValue,
        title: fixed.isEmpty ? measure : "\(measure), \(fixed)", scale: scale)
      return ("sweep-\(number + 1)", map.svg)
    }
  }

  private func curve(_ parameter: SweepArgument.Parameter) -> String {
    let points = zip(result.combinations, result.runs).map { (x: $0[0].value, y: $1.means.first ?? 0) }
      .filter(\.y.isFinite)
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    let (low, high) = (ys.min() ?? 0, ys.max() ?? 0)
    let margin = max(0.005, (high - low) * 0.1)
    var plot = SVGPlot(
      x: (xs.min() ?? 0)...(xs.max() ?? 0), y: (low - margin)...(high + margin), xLabel: parameter.rawValue,
      yLabel: measure, title: "\(measure) by \(parameter.rawValue)")
    for x in xs { plot.addTick(x, HeatMap.text(x)) }
    plot.addCurve(points.sorted { $0.x < $1.x }, name: measure, number: 0)
    return plot.svg
  }
}
