import CPostgres

/// libpq, PostgreSQL's client library, which is loaded when the first connection is opened. Programs therefore start
/// without it, and only those that open a `postgresql://` address need it.
///
/// `@unchecked Sendable`: it is immutable after the lock of a static property has published it.
struct PostgresLibrary: @unchecked Sendable {
  // Filled once before it is shared; functions of libpq may be called by any thread.
  let functions: CPostgresFunctions

  private static let loaded = Result { try PostgresLibrary(name: "libpq.so.5") }

  /// Returns the functions of libpq.
  ///
  /// - Throws: ``PostgresError`` of kind ``PostgresError/Kind/libraryMissing``.
  static func load() throws -> CPostgresFunctions { try loaded.get().functions }

  /// Loads a library.
  init(name: String) throws {
    var functions = CPostgresFunctions()
    if let reason = cpostgres_load(name, &functions) {
      throw PostgresError(
        .libraryMissing,
        "PostgreSQL's client library cannot be loaded (\(String(cString: reason))); install the package libpq5, version 14 "
          + "or later")
    }
    self.functions = functions
  }
}
