import PostgresAccess
import TextIndex

extension PostgresSession {
  /// Calls `body`, which decodes lists of a pattern index, and translates damage to an error of the index.
  func reportingDamage<T>(ofPatterns index: Int64, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let damage as SegmentDamage {
      let names = try query("SELECT name FROM cx_index WHERE id = $1", [.int64(index)])
      throw damage.error(index: names.string(0, 0))
    }
  }
}
