"""Evaluates conditions of grammars/conditions.py on the stored documents with stock SQLite.

SQL's NULL represents MISSING, and an empty blob, which no document contains, represents the NULL of SQL++. Booleans are
1 and 0, as SQL++ compares them.
"""
import json
import math
import sqlite3

TABLE = '"_default._default"'


class StockReader:
    """Reads a database file without using the product."""

    def __init__(self, path):
        self.connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.connection.execute("PRAGMA case_sensitive_like = ON")

    def close(self):
        self.connection.close()

    def documents(self):
        """Returns the text of each document by its id."""
        rows = self.connection.execute(f"SELECT id, CAST(body AS TEXT) FROM {TABLE} WHERE deleted = 0")
        return dict(rows.fetchall())

    def rows(self, condition, value, order=None, limit=None, offset=0):
        """Returns the id and a value of each document that satisfies the condition.

        The pairs are sorted by id, or by `order` and the id.
        """
        text = f"SELECT id, {sql(value)} FROM {TABLE} WHERE deleted = 0 AND ({truth(condition)})"
        if order:
            key = sql(order)
            # MISSING and NULL compare equal in ORDER BY.
            text += f" ORDER BY ({key}) IS NULL OR typeof({key}) = 'blob' DESC, nullif({key}, x''), id"
        else:
            text += " ORDER BY id"
        if limit is not None:
            text += f" LIMIT {limit} OFFSET {offset}"
        return [(name, plain(found)) for name, found in self.connection.execute(text)]


    def groups(self, condition, key, value):
        """Groups documents by a path.

        Returns the key, the numbers of rows and values, the minimum, the maximum, and the sum of o.y.
        """
        found = f"nullif({sql(value)}, x'')"
        # TRUE equals 1 in a comparison but forms a separate group.
        boolean = f"json_type(body, '$.{key[1]}') IN ('true', 'false')"
        text = (f"SELECT {sql(key)} AS k, COUNT(*), COUNT({found}), MIN({found}), MAX({found}), SUM(json_extract(body, '$.o.y'))"
                f" FROM {TABLE} WHERE deleted = 0 AND ({truth(condition)}) GROUP BY k, {boolean}")
        return [tuple(map(plain, [key, *rest])) for key, *rest in self.connection.execute(text)]


MISSING = "MISSING"


def plain(found):
    """Converts a value of SQLite for the comparison: to MISSING, None, a number or a string. Infinity becomes None, as
    JSON has no infinity.
    """
    return MISSING if found is None else None if found in (b"", math.inf, -math.inf) else found


def sql(tree):
    """Returns a tree as an expression of SQLite."""
    name, *parts = tree
    if name == "literal":
        return literal(parts[0])
    if name == "path":
        path = f"'$.{parts[0]}'"
        return (f"(CASE json_type(body, {path}) WHEN 'null' THEN x'' WHEN 'true' THEN 1 WHEN 'false' THEN 0"
                f" ELSE json_extract(body, {path}) END)")
    if name == "arithmetic":
        left, right = sql(parts[1]), sql(parts[2])
        return (f"(CASE WHEN {left} IS NULL OR {right} IS NULL THEN NULL WHEN {is_number(parts[1])} AND {is_number(parts[2])}"
                f" THEN {left} {parts[0]} {right} ELSE x'' END)")
    if name == "compare":
        return compare(parts[0], sql(parts[1]), sql(parts[2]))
    if name == "case":
        return f"(CASE WHEN {truth(parts[0])} THEN {sql(parts[1])} ELSE {sql(parts[2])} END)"
    if name in ("and", "or"):
        return f"({truth(parts[0])} {name.upper()} {truth(parts[1])})"
    if name == "not":
        inner = sql(parts[0])
        return f"(CASE WHEN typeof({inner}) = 'blob' THEN 0 ELSE NOT ({inner}) END)"
    if name == "between":
        inner = sql(parts[0])
        return between(inner, sql(parts[1]), sql(parts[2]))
    if name == "in":
        return contained(sql(parts[0]), [part[1] for part in parts[1:]])
    if name == "like":
        inner = sql(parts[0])
        return (f"(CASE WHEN {inner} IS NULL THEN NULL WHEN typeof({inner}) = 'text'"
                f" THEN {inner} LIKE {literal(parts[1])} ESCAPE '\\' ELSE x'' END)")
    if name == "function":
        return call(parts[0], parts[1:])
    if name == "is":
        return is_test(parts[0], sql(parts[1]))
    raise ValueError(f"stock SQLite has no {name}")


def compare(operator, left, right):
    return (f"(CASE WHEN {left} IS NULL OR {right} IS NULL THEN NULL"
            f" WHEN typeof({left}) = 'blob' OR typeof({right}) = 'blob' THEN x'' ELSE {left} {operator} {right} END)")


def call(name, arguments):
    """Returns a function call: MISSING for MISSING, NULL for an argument of another type."""
    first = sql(arguments[0])
    if name == "IFMISSINGORNULL":
        return f"coalesce(nullif({first}, x''), {sql(arguments[1])})"
    if name == "ABS":
        # SQLite reports an overflow for the absolute value of the smallest integer.
        test, result = is_number(arguments[0]), f"abs({first} * CASE {first} WHEN -9223372036854775808 THEN 1.0 ELSE 1 END)"
    elif name == "LENGTH":
        test, result = f"typeof({first}) = 'text'", f"length({first})"
    else:
        test, result = f"typeof({first}) = 'text'", f"instr({first}, {sql(arguments[1])}) > 0"
    return f"(CASE WHEN {first} IS NULL THEN NULL WHEN {test} THEN {result} ELSE x'' END)"


def between(inner, low, high):
    """Returns both comparisons: one that is false decides, even if the other bound is NULL or MISSING."""
    operands = (inner, low, high)
    below, above = (
        f"(typeof({inner}) NOT IN ('null', 'blob') AND typeof({bound}) NOT IN ('null', 'blob') AND {inner} {operator} {bound})"
        for operator, bound in (("<", low), (">", high)))
    return (f"(CASE WHEN {below} OR {above} THEN 0"
            f" WHEN {' OR '.join(f'{operand} IS NULL' for operand in operands)} THEN NULL"
            f" WHEN {' OR '.join(is_null(operand) for operand in operands)} THEN x''"
            f" ELSE 1 END)")


def contained(inner, items):
    values = ", ".join(literal(item) for item in items if item is not None)
    rest = "x''" if None in items else "0"
    test = f"{inner} IN ({values})" if values else "0"
    return f"(CASE WHEN {inner} IS NULL THEN NULL WHEN typeof({inner}) = 'blob' THEN x'' WHEN {test} THEN 1 ELSE {rest} END)"


def is_test(test, inner):
    blob = f"typeof({inner}) = 'blob'"
    return {
        "NULL": f"(CASE WHEN {inner} IS NULL THEN NULL ELSE {blob} END)",
        "NOT NULL": f"(CASE WHEN {inner} IS NULL THEN NULL ELSE NOT {blob} END)",
        "MISSING": f"({inner} IS NULL)",
        "NOT MISSING": f"({inner} IS NOT NULL)",
        "VALUED": f"({inner} IS NOT NULL AND NOT {blob})",
        "NOT VALUED": f"({inner} IS NULL OR {blob})",
    }[test]


def truth(tree):
    """Returns a tree as a condition: NULL becomes false, MISSING is kept."""
    return known(sql(tree))


def is_null(text):
    return f"typeof({text}) = 'blob'"


def known(text):
    return f"(CASE WHEN typeof({text}) = 'blob' THEN 0 ELSE {text} END)"


def is_number(tree):
    """Returns whether an operand is a number. A boolean is not, although it is compared as a number."""
    name, *parts = tree
    if name == "literal":
        return "1" if isinstance(parts[0], (int, float)) and not isinstance(parts[0], bool) else "0"
    if name == "path":
        return f"json_type(body, '$.{parts[0]}') IN ('integer', 'real')"
    return f"typeof({sql(tree)}) IN ('integer', 'real')"


def literal(content):
    """Returns a scalar as an SQLite literal."""
    if content is None:
        return "x''"
    if isinstance(content, bool):
        return str(int(content))
    if isinstance(content, str):
        return "'" + content.replace("'", "''") + "'"
    return f"({json.dumps(content)})"
