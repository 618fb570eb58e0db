#!/usr/bin/env python3
"""Makes a corpus of hard queries with known answers: dumps those of some identifications and comparisons, leaves
out what no solver answered and what is there already, and keeps the smallest.

usage: bench/corpus.py MMAPRINT FOLDER [--count N] [--largest BYTES] [--from DUMPS]

FOLDER gets NAME.aig.gz (binary AIGER, as `--dump` writes it) and index.json. --count 0 keeps all: the larger ones,
which are not in tests/corpus, among them. --from takes dumps that were made before. Some minutes on one core.
"""
import argparse
import gzip
import hashlib
import json
import pathlib
import subprocess
import tempfile

IDENTIFIED = [
    ("sim:h100", "mma.m16n8k32.f16.e5m2.e5m2.f16"),
    ("sim:h100", "mma.m16n8k32.f32.e4m3.e4m3.f32"),
    ("sim:h100", "mma.m16n8k32.f16.e4m3.e4m3.f16"),
    ("sim:h100", "mma.m16n8k32.f32.e5m2.e5m2.f32"),
    ("sim:ada", "mma.m16n8k32.f16.e4m3.e4m3.f16"),
    ("sim:a100", "mma.m16n8k16.f32.f16.f16.f32"),
]
COMPARED = [
    ("sim:a100", "sim:h100", "mma.m16n8k4.f32.tf32.tf32.f32"),
    ("sim:a100", "sim:h100", "mma.m16n8k8.f32.f16.f16.f32"),
    ("sim:a100", "sim:h100", "mma.m16n8k8.f32.bf16.bf16.f32"),
    ("sim:v100", "sim:v100-27bit", "mma.m8n8k4.f32.f16.f16.f32"),
]


def dump_all(program, folder):
    for device, instruction in IDENTIFIED:
        place = folder / f"{device}-{instruction}"
        subprocess.run([program, "identify", device, "--instruction", instruction, "--dump", place, "-q",
                        "--threads", "1"], stdout=subprocess.DEVNULL, check=False)
    for first, second, instruction in COMPARED:
        place = folder / f"{first}-{second}-{instruction}"
        subprocess.run([program, "distinguish", f"{first}#{instruction}", f"{second}#{instruction}", "--dump",
                        place, "-q", "--time-limit", "120"], stdout=subprocess.DEVNULL, check=False)


def answered(folder):
    """Each query that was answered, once: what it asks decides, not where it came from."""
    seen = set()
    for index in sorted(folder.glob("*/index.jsonl")):
        for line in index.read_text().splitlines():
            query = json.loads(line)
            if query.get("verdict") not in ("sat", "unsat"):
                continue
            data = (index.parent / (query["name"] + ".aig")).read_bytes()
            key = hashlib.sha256(data[:data.rfind(b"\nc\n")]).hexdigest()
            if key in seen:
                continue
            seen.add(key)
            yield {"of": index.parent.name.replace("sim:", ""), "packed": gzip.compress(data, 9, mtime=0), **query}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--largest", type=int, default=1 << 30)
    parser.add_argument("--from", dest="dumps", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        dumps = arguments.dumps or pathlib.Path(temporary)
        if not arguments.dumps:
            dump_all(arguments.program, dumps)
        queries = sorted(answered(dumps), key=lambda q: len(q["packed"]))
    queries = [q for q in queries if len(q["packed"]) <= arguments.largest]
    if arguments.count:
        queries = queries[:arguments.count]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for query in queries:
        name = f"{query['of']}-{query['name']}.aig.gz"
        (arguments.folder / name).write_bytes(query["packed"])
        rows.append({"file": name, **{k: query[k] for k in ("asks", "differing", "verdict", "conflicts")}})
    text = ",\n".join(json.dumps(row) for row in rows)
    (arguments.folder / "index.json").write_text('{"queries": [\n' + text + "\n]}\n")
    print(f"{len(rows)} queries, {sum(len(q['packed']) for q in queries)} bytes")


if __name__ == "__main__":
    main()
