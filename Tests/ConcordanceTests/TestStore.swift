import Foundation
import TestSupport
import Testing

/// Where the databases of the tests are stored.
///
/// The variable `CONCORDANCE_TEST_STORE` of the environment selects PostgreSQL: `postgresql` for one shard,
/// `postgresql:3` for three. `make test-cluster` runs the suites of this target in this way.
enum TestStore {
  case file
  case postgreSQL(shards: Int)

  static let current: TestStore = {
    let parts = (ProcessInfo.processInfo.environment["CONCORDANCE_TEST_STORE"] ?? "").split(separator: ":")
    guard parts.first == "postgresql" else { return .file }
    return .postgreSQL(shards: parts.dropFirst().first.flatMap { Int($0) } ?? 1)
  }()

  static var isFile: Bool {
    if case .file = current { true } else { false }
  }
}

extension Trait where Self == ConditionTrait {
  /// For a suite or test that does not concern databases on PostgreSQL.
  ///
  /// - Parameter reason: what is different there, or what only files have.
  static func filesOnly(_ reason: Comment) -> Self { .enabled(if: TestStore.isFile, reason) }
}
