import Foundation

/// Databases on Citus, or on a substitute for it.
///
/// Citus is not in Debian. By default, a database is on a PostgreSQL server with functions that have the names,
/// parameters and refusals of those of Citus but leave all rows where they are, and the server logs all statements, so
/// that a test can check that Citus would send each to one server.
///
/// If `CONCORDANCE_CITUS_URL` is the address of a database on Citus, with its extension, tests use it instead, one at a
/// time, and delete the schema `concordance` in it.
public enum CitusDatabase {
  private static let server = Result {
    try TemporaryCluster(settings: [
      "log_statement=all", "log_destination=csvlog", "logging_collector=on", "log_directory=FOLDER/log-csv",
      "log_filename=all.log", "log_rotation_age=0", "log_rotation_size=0", "log_parameter_max_length=2000",
    ])
  }

  /// Creates an empty database, and returns its address and the log of its statements; none for Citus.
  public static func make() throws -> (url: String, log: StatementLog?) {
    if let url = ProcessInfo.processInfo.environment["CONCORDANCE_CITUS_URL"] {
      try server.get().run("psql", ["-q", "-c", "DROP SCHEMA IF EXISTS concordance CASCADE", url])
      return (url, nil)
    }
    let server = try server.get()
    let url = try server.makeDatabase()
    try server.run("psql", ["-q", "-v", "ON_ERROR_STOP=1", "-c", substitute, url])
    return (url, try StatementLog(server))
  }

  /// The functions and the catalog of Citus that Concordance uses.
  ///
  /// The refusals are those of `create_distributed_table` ("Creating and Distributing Tables" in the manual of Citus);
  /// that of tables with rows is stricter. Integers are hashed by `hashint4`, and each shard of Citus has a range of
  /// hash values of the same size, as in Citus.
  private static let substitute = """
    SET allow_system_table_mods = on;
    INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
      SELECT 90001, 'citus', oid, 11, false, '13.2-substitute' FROM pg_roles WHERE rolname = current_user;
    CREATE TABLE pg_catalog.pg_dist_partition (
      logicalrelid regclass PRIMARY KEY, partkey text NOT NULL, colocationid int NOT NULL, shardcount int NOT NULL);
    CREATE SEQUENCE pg_catalog.pg_dist_colocationid_seq;

    CREATE FUNCTION pg_catalog.citus_check_keys(relation regclass, distribution_column text) RETURNS void AS $$
    DECLARE refused record;
    BEGIN
      SELECT i.indexrelid::regclass AS name INTO refused FROM pg_index i
      WHERE i.indrelid = relation AND (i.indisunique OR i.indisexclusion) AND NOT EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = relation AND a.attname = distribution_column
          AND a.attnum = ANY (i.indkey::int2[])) LIMIT 1;
      IF FOUND THEN
        RAISE 'cannot create constraint on "%": the unique index % lacks the distribution column', relation, refused.name
          USING ERRCODE = 'feature_not_supported';
      END IF;
    END $$ LANGUAGE plpgsql;

    CREATE FUNCTION pg_catalog.create_distributed_table(
      table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash',
      colocate_with text DEFAULT 'default', shard_count int DEFAULT NULL) RETURNS void AS $$
    DECLARE
      kind "char"; has_rows bool; place record;
    BEGIN
      SELECT relkind INTO kind FROM pg_class WHERE oid = table_name;
      IF kind <> 'r' THEN RAISE '% is not a regular table', table_name; END IF;
      IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = table_name) THEN
        RAISE 'table % is already distributed', table_name;
      END IF;
      IF NOT EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = table_name AND attname = distribution_column AND atttypid = 'int4'::regtype
      ) THEN RAISE 'table % has no column % of type integer', table_name, distribution_column; END IF;
      PERFORM citus_check_keys(table_name, distribution_column);
      IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND table_name IN (conrelid, confrelid)) THEN
        RAISE 'cannot create foreign key constraint on %', table_name;
      END IF;
      IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = table_name AND (attidentity <> '' OR attgenerated <> '')) THEN
        RAISE 'cannot distribute %: it has an identity or generated column', table_name;
      END IF;
      IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = table_name AND NOT tgisinternal) THEN
        RAISE 'cannot distribute %: it has triggers', table_name;
      END IF;
      IF EXISTS (
        SELECT FROM pg_attrdef WHERE adrelid = table_name AND pg_get_expr(adbin, adrelid) LIKE '%nextval%'
      ) THEN RAISE 'cannot distribute %: a default uses a sequence', table_name; END IF;
      EXECUTE format('SELECT EXISTS (SELECT FROM %s)', table_name) INTO has_rows;
      IF has_rows THEN RAISE 'table % has rows', table_name; END IF;
      IF colocate_with IN ('default', 'none') THEN
        INSERT INTO pg_dist_partition VALUES
          (table_name, distribution_column, nextval('pg_dist_colocationid_seq'), coalesce(shard_count, 32));
        RETURN;
      END IF;
      IF shard_count IS NOT NULL THEN RAISE 'cannot have both colocate_with and shard_count'; END IF;
      SELECT colocationid, shardcount INTO place FROM pg_dist_partition WHERE logicalrelid = colocate_with::regclass;
      IF NOT FOUND THEN RAISE 'relation % is not distributed', colocate_with; END IF;
      INSERT INTO pg_dist_partition VALUES (table_name, distribution_column, place.colocationid, place.shardcount);
    END $$ LANGUAGE plpgsql;

    CREATE FUNCTION pg_catalog.get_shard_id_for_distribution_column(
      table_name regclass, distribution_value anyelement) RETURNS bigint AS $$
      SELECT 102008 + colocationid * 10000 + least(
        (hashint4(distribution_value::int4)::int8 + 2147483648) / (4294967296 / shardcount), shardcount - 1)
      FROM pg_dist_partition WHERE logicalrelid = table_name
    $$ LANGUAGE sql;

    CREATE FUNCTION pg_catalog.citus_total_relation_size(logicalrelid regclass, fail_on_error bool DEFAULT true)
      RETURNS bigint AS $$ SELECT pg_total_relation_size(logicalrelid) $$ LANGUAGE sql;

    CREATE FUNCTION pg_catalog.citus_after_ddl() RETURNS event_trigger AS $$
    BEGIN
      PERFORM citus_check_keys(logicalrelid, partkey) FROM pg_dist_partition;
    END $$ LANGUAGE plpgsql;
    CREATE FUNCTION pg_catalog.citus_after_drop() RETURNS event_trigger AS $$
    BEGIN
      DELETE FROM pg_dist_partition WHERE logicalrelid IN (SELECT objid FROM pg_event_trigger_dropped_objects());
    END $$ LANGUAGE plpgsql;
    CREATE EVENT TRIGGER citus_after_ddl ON ddl_command_end EXECUTE FUNCTION citus_after_ddl();
    CREATE EVENT TRIGGER citus_after_drop ON sql_drop EXECUTE FUNCTION citus_after_drop();
    """
}
