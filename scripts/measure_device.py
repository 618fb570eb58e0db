#!/usr/bin/env python3
"""Identifies all instructions of a device, compares each model in bulk, and writes the tables of a page in docs/results.

usage: scripts/measure_device.py PROGRAM DEVICE PAGE     e.g. build/release/mmaprint cuda:0 docs/results/h200.md
       scripts/measure_device.py --from RESULTS DEVICES PAGE   of what `identify --json` and `devices --json` printed

--vectors N: how many dot products each model is compared with, 1e9 unless it is said. --machine NAME: of a page of several
machines, which one. What stands between the two marks of the page (and machine) is written anew; a page without them gets
it at its end.
"""
import argparse
import json
import pathlib
import subprocess
import sys
from collections import Counter

MOST_NAMED = 40  # instructions that a device lacks, by their names


def printed(command):
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}, and nothing was printed")
    return json.loads(done.stdout)


def power(n):
    digits = len(str(n)) - 1
    return f"10^{digits}" if n == 10**digits else f"{n:,}"


def value(x, none="none"):
    if x is None:
        return none
    if isinstance(x, dict) and set(x) <= {"at_least", "at_most"}:
        return " ".join({"at_least": "≥", "at_most": "≤"}[side] + f" {bound}" for side, bound in x.items())
    return "see the document" if isinstance(x, (dict, list)) else str(x)


def features(result):
    model = result["model"]
    if model is None:
        return ["-"] * 7
    if result_format(model).startswith("int"):
        return [f"`{short(model['features']['structure'])}`", "-", value(model["features"]["overflow"]), "-", "-",
                "-", "-"]
    f = model["features"]
    rounding = value(f["block_rounding"])
    if f["final_rounding"] != f["block_rounding"]:
        rounding += f", at last {value(f['final_rounding'])}"
    nan = f["nan"]
    return [f"`{short(f['structure'])}`" + converted(model), value(f["alignment_fraction_bits"], "exact"), rounding,
            value(f["output_fraction_bits"]), value(f["minimum_alignment_exponent"], "none seen"),
            flushed(model), f"`{nan}`" if isinstance(nan, str) else "by rule" if nan else "several"]


def flushed(model):
    """Which subnormals count as zeros, and of results how that is tested."""
    f = model["features"]
    roles = [role for role, feature in (("a, b", "input_subnormals"), ("c", "c_subnormals"), ("d", "output_subnormals"))
             if (f.get(feature) or "kept") != "kept"]
    test = f" ({f.get('flush_test') or 'after'})" if "d" in roles else ""
    return ", ".join(roles) + test if roles else "none"


def converted(model):
    """What operands become before they are multiplied or added."""
    computed = model["features"].get("operand_formats") or {}
    changed = [f"{role} as {f}" for role, f in computed.items() if f and f != model["formats"].get(role)]
    return ", " + ", ".join(changed) if changed else ""


def result_format(model):
    return model["formats"]["d"]


def short(structure, most=60):
    return structure if len(structure) <= most else structure[: most - 1] + "…"


def told(confirmation):
    mutants = confirmation["mutants"]
    return f"{100 * (confirmation['killed'] + confirmation['equal']) / mutants:.1f} % of {mutants}" if mutants else "-"


def compared(result):
    validation = result.get("validation")
    if not validation:
        return "-"
    return {"match": power(validation["vectors"]), "mismatch": "differs"}.get(validation["verdict"], "not finished")


def row(result, machine):
    cells = [f"`{result['instruction']}`", machine.get(result["instruction"]) or "-", *features(result),
             result["verdict"], compared(result), told(result["confirmation"])]
    return "| " + " | ".join(cells) + " |"


def family(name):
    return name.split(".")[0] + (".sp" if ".sp." in name else "")


def tables(results, machine):
    head = ["instruction", "runs as", "structure", "F", "rounding, or overflow", "fraction bits", "clamp", "flushed", "NaN",
            "verdict", "compared", "mutants told apart or proved equal"]
    lines = []
    for name in dict.fromkeys(family(r["instruction"]) for r in results):
        lines += [f"### `{name}`", "", "| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        lines += [row(r, machine) for r in results if family(r["instruction"]) == name] + [""]
    return lines


def summary(results):
    verdicts = Counter(r["verdict"] for r in results)
    observations = sum(r["observations"] for r in results)
    match = sum(1 for r in results if (r.get("validation") or {}).get("verdict") == "match")
    counts = [r["confirmation"] for r in results if r["confirmation"]["mutants"]]
    mutants = sum(c["mutants"] for c in counts)
    known = sum(c["killed"] + c["equal"] for c in counts)
    low = sum(1 for c in counts if c["killed"] + c["equal"] < 0.95 * c["mutants"])
    most = max((c["inputs"] + r["observations"] for c, r in zip(counts, results)), default=0)
    lines = [f"{len(results)} instructions: " + ", ".join(f"{n} `{v}`" for v, n in sorted(verdicts.items())) +
             f"; {observations:,} observations; {match} models agree in bulk."]
    if mutants:
        lines.append(f"Of {mutants:,} mutants {100 * known / mutants:.1f} % are told apart or proved equal, in {low} "
                     f"instructions less than 95 %; at most {most:,} inputs an instruction.")
    unknown = [r for r in results if r["verdict"] == "unknown"]
    if unknown:
        reasons = dict.fromkeys(r["reason"] for r in unknown)
        lines += ["", "Not known:", ""]
        lines += [f"- {reason}: " + ", ".join(f"`{r['instruction']}`" for r in unknown if r["reason"] == reason)
                  for reason in reasons]
    return lines + [""]


def lacking(listing):
    """What the device lists and has not, by reason."""
    missing = [i for i in listing["instructions"] if not i["available"]]
    if not missing:
        return []
    lines = ["Not there:", ""]
    for reason in dict.fromkeys(i["reason"] for i in missing):
        names = [f"`{i['name']}`" for i in missing if i["reason"] == reason]
        lines.append(f"- {reason}: " + (", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} instructions"))
    return lines + [""]


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--from", dest="stored", action="store_true")
    parser.add_argument("--vectors", default="1e9")
    parser.add_argument("--machine")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("page", type=pathlib.Path)
    return parser.parse_args()


def main():
    args = arguments()
    if args.stored:
        answer, listing = (json.loads(pathlib.Path(p).read_text()) for p in (args.first, args.second))
    else:
        how = ["--all", "--validate", args.vectors, "--time-limit-each", "300"]
        answer = printed([args.first, "identify", args.second, *how, "--json"])
        listing = printed([args.first, "devices", args.second, "--json"])
    machine = {i["name"]: i["machine_instruction"] for i in listing["instructions"]}
    results = answer.get("results", [answer])
    begin, end = (f"<!-- measured{f' on {args.machine}' if args.machine else ''}: {mark} -->" for mark in ("begin", "end"))
    before, _, rest = (args.page.read_text() if args.page.exists() else "").partition(begin)
    after = rest.partition(end)[2] or "\n"
    measured = "\n".join([begin, "", *summary(results), *tables(results, machine), *lacking(listing), end])
    args.page.write_text(before + measured + after)


if __name__ == "__main__":
    main()
