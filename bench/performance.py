#!/usr/bin/env python3
"""Measures what users wait for, and writes docs/performance.md.

usage: bench/performance.py BUILD PAGE [--only SECTION ...] [--python PYTHON]

BUILD is a build folder (mmaprint and bench_smallest_differences). SECTIONs: units, recording, differences, queries,
growth; what was measured before is kept in BUILD/performance.json. Other solvers are asked where they are found: cvc5
and berkeley-abc on PATH, z3 and bitwuzla as modules of PYTHON.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 10  # a solver has for a query
RECORDED = 24  # of the H200's models, evenly from all

# Identifications whose queries others are asked, too: K, formats, and what is hard about them.
DUMPED = [
    ("sim:v100", "mma.m8n8k4.f16.f16.f16.f16"),
    ("sim:a100", "mma.m16n8k4.f32.tf32.tf32.f32"),
    ("sim:a100", "mma.m16n8k8.f32.bf16.bf16.f32"),
    ("sim:a100", "mma.m16n8k16.f32.f16.f16.f32"),
    ("sim:h100", "mma.m16n8k16.f16.f16.f16.f16"),
    ("sim:h100", "mma.m16n8k16.f32.e4m3.e4m3.f32"),
    ("sim:h100", "mma.m16n8k32.f32.e5m2.e5m2.f32"),
    ("sim:h100", "mma.m16n8k32.f16.e4m3.e4m3.f16"),
]
COMPARED = [
    ("sim:v100#mma.m8n8k4.f32.f16.f16.f32", "sim:v100-27bit#mma.m8n8k4.f32.f16.f16.f32"),
    ("sim:a100#mma.m16n8k8.f32.f16.f16.f32", "sim:h100#mma.m16n8k8.f32.f16.f16.f32"),
    ("sim:a100#mma.m16n8k8.f32.bf16.bf16.f32", "sim:h100#mma.m16n8k8.f32.bf16.bf16.f32"),
]


def timed(*command, limit=None):
    """Its standard output, seconds, and MiB at most; None for the first if the limit ended it."""
    command = [str(c) for c in (["timeout", "-k", "1", limit] if limit else []) + list(command)]
    with tempfile.TemporaryFile("w+") as out:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - begin
        out.seek(0)
        ended = not limit or process.returncode not in (124, 137)
        return (out.read() if ended else None), seconds, usage.ru_maxrss / 1024


def document(*command):
    text, seconds, memory = timed(*command)
    if not text:
        sys.exit(f"{' '.join(map(str, command))}: nothing was printed")
    return json.loads(text), seconds, memory


def size(folder):
    return sum(f.stat().st_size for f in pathlib.Path(folder).rglob("*") if f.is_file())


def verified(program, folder):
    """Seconds, whether it is valid, and how many claims the solver was asked about."""
    found, seconds, _ = document(program, "verify", folder, "--json", "-q")
    return seconds, found["verdict"] == "valid", found["checked"]["solved_again"]


def with_certificates(program, device, folder, instructions):
    results = []
    for name in instructions:
        place = folder / re.sub(r"\W", "-", name)
        result, seconds, memory = document(program, "identify", device, "--instruction", name, "--json", "-q",
                                           "--time-limit", "120", "--certificate", place)
        checked = verified(program, place)
        results.append({"instruction": name, "verdict": result["verdict"], "seconds": seconds, "memory": memory,
                        "observations": result["observations"], "bytes": size(place), "verify": checked[0],
                        "valid": checked[1], "solved": checked[2]})
        print(device, name, result["verdict"], f"{seconds:.1f}", f"{checked[0]:.1f}", file=sys.stderr)
    return results


def models(program, device):
    """The device's instructions, one of each that compute alike."""
    listed, _, _ = document(program, "devices", device, "--json")
    seen, chosen = set(), []
    for instruction in listed["instructions"]:
        shown, _, _ = document(program, "show", f"{device}#{instruction['name']}", "--json")
        what = json.dumps({"unit": shown["unit"], "formats": shown["formats"], "k": shown["k"]})
        if what not in seen:
            seen.add(what)
            chosen.append(instruction["name"])
    return len(listed["instructions"]), chosen


def units(build):
    program = build / "mmaprint"
    rows = {}
    listed, _, _ = document(program, "devices", "--json")
    for device in (d["name"] for d in listed["devices"] if d["name"].startswith("sim:")):
        count, chosen = models(program, device)
        with tempfile.TemporaryDirectory() as folder:
            rows[device] = {"instructions": count,
                            "results": with_certificates(program, device, pathlib.Path(folder), chosen)}
    return rows


def recording(build):
    program, file = build / "mmaprint", ROOT / "tests/recordings/h200.jsonl"
    recorded = json.loads((ROOT / "tests/recordings/h200.models.json").read_text())
    seen, chosen = set(), []
    for name, of in recorded.items():
        what = json.dumps(of["unit"])
        if of["verdict"] == "equivalent" and what not in seen:
            seen.add(what)
            chosen.append(name)
    chosen = chosen[:: max(1, len(chosen) // RECORDED)][:RECORDED]
    with tempfile.TemporaryDirectory() as folder:
        return with_certificates(program, f"replay:{file}", pathlib.Path(folder), chosen)


def differences(build):
    text, _, _ = timed(build / "bench_smallest_differences")
    return text.strip().splitlines()[-1]


def hard_queries(program, folder):
    places = []
    for device, name in DUMPED:
        places.append((f"{name}", folder / re.sub(r"\W", "-", device + name)))
        timed(program, "identify", device, "--instruction", name, "--dump", places[-1][1], "-q", "--threads", "1")
    for first, second in COMPARED:
        places.append((first.split("#")[1], folder / re.sub(r"\W", "-", first + second)))
        timed(program, "distinguish", first, second, "--dump", places[-1][1], "-q", "--time-limit", "60")
    for name, place in places:
        lines = [json.loads(line) for line in (place / "index.jsonl").read_text().splitlines()[1:]]
        seen = set()
        for query in sorted(lines, key=lambda q: -q["seconds"]):
            kind = (query["differing"], query["verdict"])
            if kind in seen or len(seen) == 3:
                continue
            seen.add(kind)
            yield name, place / query["name"], query


def other_solvers(python):
    solvers = {}
    if shutil.which("cvc5"):
        solvers["cvc5"] = lambda p: ["cvc5", "--bitblast=eager", f"{p}.smt2"]
    z3 = "import sys,z3; s=z3.SolverFor('QF_BV'); s.from_file(sys.argv[1]); print(s.check())"
    bitwuzla = ROOT / "tests/checkers/bitwuzla_verdict.py"
    modules = {"z3": lambda p: [python, "-c", z3, f"{p}.smt2"],
               "bitwuzla": lambda p: [python, bitwuzla, f"{p}.smt2", SECONDS]}
    for module, command in modules.items():
        if subprocess.run([python, "-c", f"import {module}"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            solvers[module] = command
    if shutil.which("berkeley-abc"):
        solvers["ABC"] = lambda p: ["berkeley-abc", "-c", f"read_aiger {p}.aig; strash; sat -C 100000000"]
    return solvers


def answer(text):
    found = re.findall(r"\b(unsat|sat)(?:isfiable)?\b", (text or "").lower())
    return found[-1] if found else None


def queries(build, python):
    program, rows = build / "mmaprint", []
    solvers = other_solvers(python)
    with tempfile.TemporaryDirectory() as folder:
        for name, path, query in hard_queries(program, pathlib.Path(folder)):
            row = {"of": name, "asks": query["asks"], "differing": query["differing"], "verdict": query["verdict"],
                   "clauses": query["clauses"], "CaDiCaL": query["seconds"]}
            for solver, command in solvers.items():
                text, seconds, _ = timed(*command(path), limit=SECONDS)
                said = answer(text)
                if said and query["verdict"] != "unknown" and said != query["verdict"]:
                    sys.exit(f"{path}: {solver} says {said}, CaDiCaL {query['verdict']}")
                row[solver] = seconds if said else None
            rows.append(row)
            print(row, file=sys.stderr)
    return {"solvers": ["CaDiCaL", *solvers], "rows": rows}


def model_of(k, width):
    """An A100 of other sizes: a chain of blocks."""
    blocks = [list(range(i, min(i + width, k))) for i in range(0, k, width)]
    tree = [{"adder": 0, "operands": (["c"] if n == 0 else [{"node": n - 1}]) + block}
            for n, block in enumerate(blocks)]
    return {"schema": "mmaprint/model/1", "instruction": f"chain-k{k}-w{width}", "k": k,
            "formats": {"a": "fp16", "b": "fp16", "c": "fp32", "d": "fp32"},
            "unit": {"tree": tree,
                     "adders": [{"product": "exact-unnormalised", "minimum_alignment_exponent": -132,
                                 "alignment_fraction_bits": 24, "alignment_rounding": "truncate",
                                 "normalisation": "late", "extra_carry_bits": None, "rounding": "toward-zero",
                                 "output_fraction_bits": 23}],
                     "conventions": {"input_subnormals": "kept", "c_subnormals": "kept",
                                     "output_subnormals": "kept", "overflow": "infinity",
                                     "zero_sign": {"all_zero": "positive", "cancelled": "positive",
                                                   "rounded": "positive", "flushed": "positive"}},
                     "nan": "7fffffff"}}


def grown(program, folder, model, assumed=None):
    file = folder / "model.json"
    file.write_text(json.dumps(model))
    command = [program, "identify", f"model:{file}", "--all", "--json", "-q", "--time-limit", "120"]
    if assumed:
        partial = {name: model[name] for name in ("schema", "instruction", "k", "formats")} | {"features": assumed}
        (folder / "assumed.json").write_text(json.dumps(partial))
        command += ["--assume", folder / "assumed.json"]
    result, seconds, memory = document(*command)
    result = result["results"][0] if "results" in result else result
    return {"k": model["k"], "hypotheses": result["space"]["hypotheses"], "verdict": result["verdict"],
            "observations": result["observations"], "seconds": seconds, "solver": result["seconds"]["solver"],
            "memory": memory}


def growth(build):
    program = build / "mmaprint"
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        by_k = [dict(grown(program, folder, model_of(k, min(k, 8))), width=min(k, 8)) for k in (1, 2, 4, 8, 16, 32, 64)]
        by_k += [dict(grown(program, folder, model_of(k, k)), width=k) for k in (16, 32)]
        model = model_of(8, 8)
        features = {"structure": "(c + p0..7)", "product": "exact-unnormalised", "normalisation": "late",
                    "input_subnormals": "kept", "c_subnormals": "kept", "output_subnormals": "kept",
                    "block_rounding": "toward-zero", "alignment_fraction_bits": 24}
        names = list(features)
        by_space = [dict(grown(program, folder, model, {n: features[n] for n in names[:count]}), assumed=count)
                    for count in (8, 6, 3, 1, 0)]
    return {"by_k": by_k, "by_space": by_space}


def middle(values):
    return statistics.median(values) if values else 0


def unit_rows(rows):
    for device, row in rows.items():
        found = row["results"]
        times = [r["seconds"] for r in found]
        longest = max(found, key=lambda r: r["seconds"])
        equal = sum(r["verdict"] == "equivalent" for r in found)
        yield (f"| `{device}` | {row['instructions']} | {len(found)} | {equal} "
               f"| {middle([r['observations'] for r in found]):.0f} | {middle(times):.1f} "
               f"| {longest['seconds']:.1f} (`{longest['instruction']}`) | {max(r['memory'] for r in found):.0f} "
               f"| {middle([r['verify'] for r in found]):.1f} | {max(r['verify'] for r in found):.1f} "
               f"| {max(r['bytes'] for r in found) / 1e6:.2f} |")


def certificates_in_words(found):
    proved = [r for r in found if r["verdict"] == "equivalent"]
    sooner = sum(r["verify"] < r["seconds"] for r in proved)
    alone = sum(r["solved"] == 0 for r in proved)
    return (f"{len(proved)} certificates of models that were proved: {sum(r['valid'] for r in proved)} valid, {alone} of "
            f"them with no question to a solver, {sooner} in less time than the identification took; "
            f"{sum(r['verify'] for r in proved):.0f} s in all, the identifications {sum(r['seconds'] for r in proved):.0f} s. "
            f"The largest has {max(r['bytes'] for r in proved) / 1e6:.2f} MB.")


def units_page(rows):
    yield "## Catalogued units\n"
    yield ("`identify sim:UNIT --instruction NAME --certificate DIR`, then `verify DIR`, for every instruction that computes "
           "otherwise than those before it. Times are those of whole commands, in seconds.\n")
    yield ("| unit | instructions | measured | equivalent | observations, median | seconds, median | longest | MiB "
           "| verify, median | longest | largest certificate, MB |\n|---|---|---|---|---|---|---|---|---|---|---|")
    yield from unit_rows(rows)
    every = [r for row in rows.values() for r in row["results"]]
    times = sorted(r["seconds"] for r in every)
    yield (f"\nOf all {len(every)}: median {middle(times):.1f} s, 90 % within {times[len(times) * 9 // 10]:.1f} s, longest "
           f"{times[-1]:.1f} s. {certificates_in_words(every)}")
    left = [f"`{d}` `{r['instruction']}` ({r['verdict']})" for d, row in rows.items() for r in row["results"]
            if r["verdict"] != "equivalent"]
    yield "\nNot `equivalent`: " + (", ".join(left) if left else "none") + "."


def recording_page(found):
    yield "\n## An H200's recorded answers\n"
    yield (f"The same with `replay:tests/recordings/h200.jsonl`, the answers that an H200 gave: {len(found)} instructions of different models. "
           + certificates_in_words(found))


def differences_page(line):
    yield "\n## Smallest differences\n"
    yield ("`distinguish` over all pairs of catalogued instructions of equal formats, the shorter one chained "
           f"(`bench_smallest_differences`): {line}.")


def queries_page(measured):
    solvers, rows = measured["solvers"], measured["rows"]
    yield "\n## Hard queries, and other solvers\n"
    yield (f"From `--dump`: of each unit the three that took longest and ask about different things. Others got the same "
           f"files and {SECONDS} s each; `-` is no answer in that time. "
           "CaDiCaL's time includes checking its answer; `unknown` is what it gave up after the conflicts that the question was given.\n")
    yield "| of | asks | differs in | verdict | clauses | " + " | ".join(solvers) + " |"
    yield "|---" * (5 + len(solvers)) + "|"
    for r in rows:
        times = " | ".join("-" if r[s] is None else f"{r[s]:.2f}" for s in solvers)
        yield f"| `{r['of']}` | {r['asks']} | {r['differing']} | {r['verdict']} | {r['clauses']:,} | {times} |"
    told = ", ".join(f"{s} {sum(r[s] is not None for r in rows)}" for s in solvers[1:])
    ours = sum(r["verdict"] != "unknown" for r in rows)
    yield f"\nAnswered, of {len(rows)}: {told}; {solvers[0]} {ours} within its conflicts. None contradicts another."


def growth_page(measured):
    yield "\n## Growth\n"
    yield ("In K: chains of blocks of FP16 products that are added to FP32 as an A100 adds them, nothing assumed. "
           "`solver` is the part of the seconds that the solver took, over all threads.\n")
    yield "| K | products a block | hypotheses | verdict | observations | seconds | solver | MiB |\n|---|---|---|---|---|---|---|---|"
    for r in measured["by_k"]:
        yield (f"| {r['k']} | {r['width']} | {r['hypotheses']:.1e} | {r['verdict']} | {r['observations']} "
               f"| {r['seconds']:.1f} | {r['solver']:.1f} | {r['memory']:.0f} |")
    yield "\nIn the space: K = 8 in one block, of which so many features are assumed (`--assume`).\n"
    yield "| assumed | hypotheses | verdict | observations | seconds | solver | MiB |\n|---|---|---|---|---|---|---|"
    for r in measured["by_space"]:
        yield (f"| {r['assumed']} | {r['hypotheses']:.1e} | {r['verdict']} | {r['observations']} | {r['seconds']:.1f} "
               f"| {r['solver']:.1f} | {r['memory']:.0f} |")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), default=list(SECTIONS))
    parser.add_argument("--python", default=sys.executable)
    arguments = parser.parse_args()
    kept = arguments.build / "performance.json"
    measured = json.loads(kept.read_text()) if kept.exists() else {}
    for name in arguments.only:
        measure, _ = SECTIONS[name]
        measured[name] = measure(arguments.build, arguments.python) if name == "queries" else measure(arguments.build)
        kept.write_text(json.dumps(measured))
    version = timed(arguments.build / "mmaprint", "--version")[0].strip()
    lines = ["# Performance\n",
             "How long identifications, their proofs and comparisons take. Written by `bench/performance.py BUILD "
             "docs/performance.md`.\n",
             f"{version}, {datetime.date.today()}, {os.cpu_count()} cores of {processor()}.\n"]
    for name, (_, page) in SECTIONS.items():
        if name in measured:
            lines += page(measured[name])
    arguments.page.write_text("\n".join(lines) + "\n")


SECTIONS = {"units": (units, units_page), "recording": (recording, recording_page),
            "differences": (differences, differences_page), "queries": (queries, queries_page),
            "growth": (growth, growth_page)}

if __name__ == "__main__":
    main()
