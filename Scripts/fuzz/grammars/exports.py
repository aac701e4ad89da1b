"""Random JSON Lines in the format of `concord export`."""
import base64
import hashlib
import json

from grammars.documents import document
from mutate import mutate_text

PIECES = ['{"_concordance":1}\n', '"_id":"x",', '"_collection":"s.c",', '"_body":{}', '"_breaks":[[0,1]],',
          '"_blob":"sha1-x",', '"_length":-1,', '"_offset":9999,',
          '"_data":"###",', '"_expiration":"1970-01-01",', '"_expiration":"9999-12-31T23:59:59Z",', '"_index":"search",',
          '"_definition":{}', '"@type":"blob",', "null", "1e999",
          '{"_id":"x","a":1}\n', '"digest":"sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=",', '"where":"SELECT"', '"fields":["*"]']

INDEXES = [{"expressions": ["a"]}, {"expressions": ["o.x", "b"], "where": "a > 1"}, {"patterns": ["s"]},
           {"fields": ["s", "*"], "analyzer": {"accents": "fold", "code": False, "stopWords": "none", "synonyms": []}}]


def blob(random):
    """Returns the line of a blob, and the value that refers to it."""
    data = random.randbytes(random.choice([0, 1, 10, 300]))
    digest = "sha1-" + base64.b64encode(hashlib.sha1(data).digest()).decode()
    line = {"_blob": digest, "_length": len(data), "_offset": 0, "_data": base64.b64encode(data).decode()}
    return line, {"@type": "blob", "content_type": "text/plain", "digest": digest, "length": len(data)}


def lines(random):
    """Returns the lines of a valid export."""
    collections = ["_default._default", *random.sample(["s.c", "_default.other", "s.d-e"], random.randrange(3))]
    made = [{"_concordance": 1}, *({"_collection": name} for name in collections)]
    for number in range(random.randrange(8)):
        content = document(random)
        if random.random() < 0.3:
            line, reference = blob(random)
            made.append(line)
            content["photo"] = reference
        head = {"_id": random.choice(["d{}", "é {}", "a/b:{}", "-{}"]).format(number)}
        if random.random() < 0.3:
            head["_collection"] = random.choice(collections)
        if random.random() < 0.2:
            head["_expiration"] = random.choice(["2100-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
        made.append({**head, "_body": {**content, "_id": "own"}} if random.random() < 0.1 else {**head, **content})
    for number, definition in enumerate(random.sample(INDEXES, random.randrange(3))):
        made.append({"_index": f"i{number}", "_collection": random.choice(collections), "_definition": definition})
    return [json.dumps(line, ensure_ascii=random.random() < 0.5) for line in made]


def garbage(random):
    """Returns lines similar to those of an export."""
    return mutate_text(random, "\n".join(lines(random)) + "\n", PIECES)
