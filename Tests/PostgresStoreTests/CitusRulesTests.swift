import TestSupport
import Testing

/// The rules by which the statements that are sent to Citus are checked find the forms that Citus refuses or does not
/// route.
struct CitusRulesTests {
  private static func violations(_ text: String, _ parameters: [String]) -> [String] {
    var rules = CitusRules()
    for table in ["cx_doc", "cx_dict", "cx_ft"] {
      _ = rules.violations(StatementLog.Statement("SELECT create_distributed_table('\(table)', 'shard')", []))
    }
    return rules.violations(StatementLog.Statement(text, parameters))
  }

  @Test(arguments: [
    "SELECT body FROM cx_doc WHERE collection = $1 AND shard = $2",
    "DECLARE cx_scan1 NO SCROLL CURSOR FOR SELECT row FROM cx_doc WHERE shard = $2 ORDER BY row",
    "SELECT (SELECT count(*) FROM cx_ft WHERE shard = $2), d.term FROM cx_dict d WHERE d.shard = $2",
    "UPDATE cx_ft SET seq = $1 WHERE shard = $2", "DELETE FROM cx_doc WHERE row = $1 AND shard = $2",
    "INSERT INTO cx_ft (idx, shard) VALUES ($1, $2) ON CONFLICT (idx, shard) DO NOTHING",
    "INSERT INTO cx_ft (idx, shard) SELECT $1, $2 FROM unnest($1) AS c (x)",
    "INSERT INTO cx_doc (row, shard) SELECT nullif(r, 0), h FROM unnest($1::int8[], $3::int4[]) AS t (r, h)",
    "COPY cx_dict (idx, shard, seg) FROM STDIN (FORMAT binary)", "SELECT shards FROM cx_manifest FOR UPDATE",
  ])
  func statementsForOneShardArePermitted(text: String) {
    #expect(CitusRulesTests.violations(text, ["1", "7", "{7,7,7}"]).isEmpty)
  }

  @Test(arguments: [
    ("SELECT body FROM cx_doc WHERE collection = $1", "no condition on the shard"),
    ("SELECT count(*) FROM cx_doc WHERE shard IS NOT NULL", "no condition on the shard"),
    ("SELECT 1 FROM cx_doc d JOIN cx_dict t ON t.row = d.row WHERE d.shard = $2", "no condition on the shard"),
    ("SELECT (SELECT count(*) FROM cx_ft) FROM cx_dict d WHERE d.shard = $2", "no condition on the shard"),
    ("SELECT 1 FROM cx_doc d, cx_dict t WHERE t.shard = $1 AND d.shard = $2", "several shards"),
    ("SELECT 1 FROM unnest($1) k CROSS JOIN LATERAL (SELECT 1 FROM cx_dict WHERE shard = $2 LIMIT 1) d", "LATERAL"),
    ("SELECT 1 FROM cx_doc d JOIN cx_index i ON true WHERE d.shard = $2", "distributed and local"),
    ("WITH f AS (UPDATE cx_ft SET seq = 1 WHERE shard = $2 RETURNING seq) SELECT seq FROM f", "a subquery that writes"),
    ("UPDATE cx_ft SET shard = $1 WHERE shard = $2", "a change of the shard"),
    ("DELETE FROM cx_doc WHERE random() < 1 AND shard = $2", "a volatile function"),
    ("INSERT INTO cx_ft (idx) VALUES ($1)", "INSERT lacks the column shard"),
    ("INSERT INTO cx_ft (idx, shard) VALUES ((SELECT 1), $2)", "a subquery in VALUES"),
    ("INSERT INTO cx_ft (idx, shard) VALUES ($1, $2) ON CONFLICT (idx) DO NOTHING", "ON CONFLICT lacks"),
    ("INSERT INTO cx_doc (row, shard) SELECT r, h FROM unnest($1::int8[], $3::int4[]) AS t (r, h)", "several shards"),
    ("COPY cx_dict (idx, seg) FROM STDIN (FORMAT binary)", "COPY lacks"),
  ])
  func otherStatementsAreFound(text: String, problem: String) {
    let found = CitusRulesTests.violations(text, ["1", "7", "{7,8}"])
    #expect(found.contains { $0.hasPrefix(problem) }, "\(found)")
  }
}
