"""Random damage to a database file: bytes, pages, its length, and rows of its tables."""
import random as random_module
import sqlite3

EXTREMES = [0, 1, -1, 2, 255, 1 << 31, (1 << 63) - 1, -(1 << 63), 1.5, "", "x", b"", b"\xff" * 9, None]


def damage(random, size, page_size, tables):
    """Returns a description of damage for `apply`."""
    pages = max(1, size // page_size)
    kind = random.randrange(10)
    if kind < 3:
        count = random.choice([1, 1, 2, 10])
        return {"kind": "bytes", "changes": [[random.randrange(size), random.randrange(256)] for _ in range(count)]}
    if kind == 3:
        page = random.randrange(pages)
        start = page * page_size
        offset = start + random.randrange(min(100, size - start))
        return {"kind": "bytes", "changes": [[offset, random.choice([0, 255, random.randrange(256)])]]}
    if kind == 4:
        return {"kind": "page", "page": random.randrange(pages),
                "with": random.choice(["zero", "noise", random.randrange(pages)])}
    if kind == 5:
        sizes = [0, 1, 100, 512, random.randrange(size), random.randrange(pages) * page_size, size + page_size]
        return {"kind": "size", "size": random.choice(sizes)}
    return {"kind": "row", "table": random.choice(tables), "row": random.randrange(1 << 16),
            "column": random.randrange(16),
            "value": random.choice(["delete", "flip", *range(len(EXTREMES))])}


def apply(change, path, page_size):
    """Damages a file. Returns False if the change cannot be made."""
    if change["kind"] == "row":
        return change_row(change, path)
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        if change["kind"] == "bytes":
            for offset, byte in change["changes"]:
                data[offset] = byte
        elif change["kind"] == "page":
            start, end = change["page"] * page_size, (change["page"] + 1) * page_size
            other = change["with"]
            if other == "zero":
                data[start:end] = bytes(page_size)
            elif other == "noise":
                data[start:end] = random_module.Random(start).randbytes(page_size)
            else:
                data[start:end] = data[other * page_size:(other + 1) * page_size]
        else:
            data = data[:change["size"]] + bytes(max(0, change["size"] - len(data)))
        file.seek(0)
        file.truncate()
        file.write(data)
    return True


def change_row(change, path):
    """Deletes one row, or changes one of its columns, without using the product."""
    connection = sqlite3.connect(path)
    try:
        table = '"' + change["table"].replace('"', '""') + '"'
        cursor = connection.execute(f"SELECT * FROM {table}")
        columns = ['"' + column[0].replace('"', '""') + '"' for column in cursor.description]
        rows = cursor.fetchall()
        if not rows:
            return False
        row = rows[change["row"] % len(rows)]
        test = " AND ".join(f"{column} IS ?" for column in columns)
        if change["value"] == "delete":
            connection.execute(f"DELETE FROM {table} WHERE {test}", row)
        else:
            index = change["column"] % len(columns)
            # Changing the expiration or the id of a document is not damage.
            if columns[index] == '"expiration"' or columns[index] == '"id"' and isinstance(row[index], str):
                return False
            value = flipped(row[index], change["row"]) if change["value"] == "flip" else EXTREMES[change["value"]]
            connection.execute(f"UPDATE {table} SET {columns[index]} = ? WHERE {test}", (value, *row))
        connection.commit()
        return True
    except (sqlite3.Error, OverflowError):
        return False
    finally:
        connection.close()


def flipped(value, where):
    """Returns the value with a small change."""
    if isinstance(value, bytes) and value:
        index = where % len(value)
        return value[:index] + bytes([value[index] ^ (1 << where % 8)]) + value[index + 1:]
    if isinstance(value, str) and value:
        index = where % len(value)
        return value[:index] + ("x" if value[index] != "x" else "y") + value[index + 1:]
    return value + 1 if isinstance(value, (int, float)) and value < 1 << 62 else 0
