"""Messages of a replication peer: valid ones, and valid ones with changes."""
import json

from mutate import PIECES, mutate_bytes, mutate_text

IDS = ["a", "b", "c", "public", "_reserved", "", "x" * 255, "x" * 256, "é"]
SOURCES = ["AQEBAQEBAQEBAQEBAQEBAQ", "AgICAgICAgICAgICAgICAg", "Revision+Tree+Encoding", "*", "short"]
PROFILES = ["getCollections", "getCheckpoint", "setCheckpoint", "subChanges", "unsubChanges", "changes", "proposeChanges",
            "rev", "norev", "getAttachment", "proveAttachment", "getRev", "putRev", ""]


def version(random):
    if random.random() < 0.15:
        return random.choice(["1-aa", "2-bb", "3-cc", "0-aa", "4194304-ff", "x-1", "", "1"])
    time = random.choice([1, 2, 0x18d2a00000000000, 0x18d2a00000010000, 2 ** 62 - 1, 2 ** 64 - 1, 0])
    return f"{time:x}@{random.choice(SOURCES[:2]) if random.random() < 0.8 else random.choice(SOURCES)}"


def body(random):
    blob = {"@type": "blob", "digest": "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "length": random.choice([0, 5])}
    return random.choice(["{}", '{"n":1}', json.dumps({"b": blob}), json.dumps({"b": [blob, blob]}), "[1]", "{", "",
                          '{"_id":"a","_deleted":true}', '{"a":' * 1100 + "1" + "}" * 1100])


def message(random, secret):
    """Returns a message. `secret` is the digest of a blob that the peer must not read."""
    profile = random.choice(PROFILES)
    properties = {}
    text = ""
    if random.random() < 0.9 and profile not in ("getCollections", "getCheckpoint", "setCheckpoint"):
        properties["collection"] = random.choice(["0", "0", "0", "0", "1", "-1", "x"])
    if profile == "getCollections":
        names = random.choice([["_default"], ["secret"], ["_default", "secret"], ["_default._default"], [], ["x", "x"]])
        text = json.dumps({"checkpoint_ids": [f"cp{n}" for n in range(len(names))], "collections": names})
    elif profile in ("getCheckpoint", "setCheckpoint"):
        properties["client"] = random.choice(["cp0", "", "x" * 2000])
        text = random.choice(['{"local":1}', "[]", ""])
        if random.random() < 0.5:
            properties["rev"] = random.choice(["1-cc", "0-cc", "x", "99999999999999999999-cc"])
    elif profile == "subChanges":
        for key, values in {"since": ["0", "1", '"1:2"', "99999999999999999999", "[]", "{"], "batch": ["1", "200", "-5", "x"],
                            "continuous": ["true"], "activeOnly": ["true"], "filter": ["f"],
                            "versioning": ["version-vectors", "rev-trees"]}.items():
            if random.random() < (0.05 if key in ("filter", "versioning") else 0.4):
                properties[key] = random.choice(values)
        text = random.choice(["", "", '{"docIDs":["a"]}', '{"docIDs":[1,null]}', "{"])
    elif profile == "changes":
        text = json.dumps([[random.randrange(9), random.choice(IDS), version(random), random.randrange(8)]
                           for _ in range(random.randrange(4))])
    elif profile == "proposeChanges":
        text = json.dumps([[random.choice(IDS), version(random), random.choice(["", version(random)]), 10]
                           for _ in range(random.randrange(4))])
        properties["conflictIncludesRev"] = "true"
    elif profile in ("rev", "norev"):
        properties.update(id=random.choice(IDS), rev=version(random), sequence=random.choice(["1", "2", "x", "[1"]))
        if random.random() < 0.4:
            properties["history"] = random.choice([", ", ",", "; ", ";"]).join(version(random) for _ in range(random.randrange(4)))
        if random.random() < 0.2:
            properties["deleted"] = "1"
        if random.random() < 0.1:
            properties["deltaSrc"] = version(random)
        text = body(random)
    elif profile in ("getAttachment", "proveAttachment"):
        properties["digest"] = random.choice([secret, "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "", "sha1-x"])
        properties["docID"] = random.choice(IDS)
        text = random.choice(["", "0123456789abcdef", "x" * 300])
    if random.random() < 0.15:
        text = mutate_text(random, text)
    if random.random() < 0.1:
        properties[random.choice(["id", "rev", "history", "sequence", "collection", "digest", "x"])] = random.choice(PIECES)
    return {"profile": profile, "properties": properties, "body": text}


def session(random, secret):
    """Returns the messages of a connection, which begin with a valid list of collections in most cases."""
    made = []
    if random.random() < 0.85:
        made.append({"profile": "getCollections", "properties": {},
                     "body": '{"checkpoint_ids":["cp","cs"],"collections":["_default","secret"]}'})
    made += [message(random, secret) for _ in range(random.randrange(1, 12))]
    if random.random() < 0.15:
        frame = mutate_bytes(random, random.randbytes(random.randrange(60)))
        made.insert(random.randrange(len(made) + 1), {"frame": frame.hex()})
    return made
