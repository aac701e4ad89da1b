import Foundation
import JSONText

/// Sample values of a type: one that all others are compared with, and one for each coding key that was changed.
final class TypeSamples<T: Decodable> {
  /// Where the value of a property comes from.
  enum Source {
    case found(ResolvedKeyPath)
    /// From several keys, or not as it was decoded.
    case mixed
    /// From none of the keys that samples could change.
    case unknown
  }

  private typealias Run = (value: T?, session: SampleSession)

  private lazy var base: Run = SampleSession.run(T.self)
  private var changed: [[PropertyPath.Component]: Run] = [:]

  /// Whether the type takes no sample values.
  var isEmpty: Bool { base.value == nil }

  /// Whether an id of a document is decoded.
  var holdsDocumentID: Bool { base.session.records.contains { $0.isDocumentID } }

  /// Whether the type has a coding key of this name that samples could not change.
  func mayHold(_ key: String) -> Bool {
    guard base.session.hasKey.contains(where: { $0(key) }) else { return false }
    let path: [PropertyPath.Component] = [.key(key)]
    guard base.value != nil, let value = value(at: path, of: base) else { return true }
    return self.value(at: path, of: run(path)).map { isSame($0, value) } ?? true
  }

  /// Where the value at a key path comes from.
  ///
  /// - Complexity: a run of the type's decoder for each of its coding keys, once.
  func source(of keyPath: PartialKeyPath<T>) -> Source {
    guard let value = base.value?[keyPath: keyPath] else { return .unknown }
    var prefix: [PropertyPath.Component] = []
    while true {
      if let path = decoded(value, keyPath, at: prefix) { return .found(path) }
      let hits = next(behind: prefix).filter { step in
        let run = run(prefix + [step])
        return run.value.map { !isSame($0[keyPath: keyPath], value) } ?? false
      }
      guard hits.count == 1, let step = hits.first else { return prefix.isEmpty && hits.isEmpty ? .unknown : .mixed }
      prefix.append(step)
    }
  }

  /// The path, if the value at the key path is the one that was decoded there, now and when it is changed.
  private func decoded(
    _ value: Any, _ keyPath: PartialKeyPath<T>, at path: [PropertyPath.Component]
  ) -> ResolvedKeyPath? {
    let run = run(path)
    guard let other = run.value?[keyPath: keyPath], !isSame(other, value) else { return nil }
    let records = base.session.records.filter { $0.path == path && isSame($0.value, value) }
    guard let record = records.first,
      run.session.records.contains(where: { $0.path == path && isSame($0.value, other) })
    else { return nil }
    return ResolvedKeyPath(components: path, isDocumentID: record.isDocumentID && path.count == 1)
  }

  /// The steps that lead on from a path.
  private func next(behind prefix: [PropertyPath.Component]) -> [PropertyPath.Component] {
    var seen: Set<PropertyPath.Component> = []
    return base.session.records.compactMap { record in
      guard record.path.count > prefix.count, record.path.starts(with: prefix) else { return nil }
      return seen.insert(record.path[prefix.count]).inserted ? record.path[prefix.count] : nil
    }
  }

  private func run(_ path: [PropertyPath.Component]) -> Run {
    if let run = changed[path] { return run }
    let run = SampleSession.run(T.self, changed: path)
    changed[path] = run
    return run
  }

  private func value(at path: [PropertyPath.Component], of run: Run) -> Any? {
    run.session.records.last { $0.path == path }?.value
  }
}

/// Whether two values are equal in all that there is to see of them, optional or not.
private func isSame(_ first: Any, _ second: Any) -> Bool { shape(of: first) == shape(of: second) }

/// A value written out, with the values inside of it.
private func shape(of value: Any) -> String {
  var value = value
  if let id = value as? DocumentID { value = id.wrappedValue as Any }
  while Mirror(reflecting: value).displayStyle == .optional {
    guard let inner = Mirror(reflecting: value).children.first?.value else { return "nil" }
    value = inner
  }
  var text = "\(type(of: value))\n"
  dump(value, to: &text)
  return text
}
