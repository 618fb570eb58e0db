#!/usr/bin/env python3
"""Breaks each layer of the datapath on purpose, one at a time, and expects its tests to fail.

A fault is a text of one file and what to put in its place. A text that is not there exactly once is an error, so
that faults do not rot. Works on a copy of the tree in build/check-layers; one test program is built for each fault
(some minutes in all). Arguments: names of faults, all if there are none.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "check-layers" / "source"
BUILD = ROOT / "build" / "check-layers" / "build"
LAYERS = "model/lowering/"

# name: file, text, fault
FAULTS = {
    "early exits": (LAYERS + "early_exits.h", "a.known(condition) != std::optional(false)",
                    "a.known(condition) == std::nullopt"),
    "raised exponent: carries that wrap": (LAYERS + "raised_exponent.h",
                                           "if (!never_wraps(a, node.adder, shape)) return to;",
                                           "static_cast<void>(shape);"),
    "raised exponent: a place too high": (LAYERS + "raised_exponent.h", "node.bits.lowest + kept",
                                          "node.bits.lowest + kept + 1"),
    "exact rounding: too few bits": (LAYERS + "exact_rounding.h", "s + operand) + 3", "s + operand) - 1"),
    "exact rounding: the product's exponent": (LAYERS + "exact_rounding.h",
                                               "return rounds_as_exact(a, plan, node, f);",
                                               "return rounds_as_exact(a, plan, node, f) || f.has_value();"),
    "accumulator: half of a partial sum": (LAYERS + "accumulator.h", "const auto half = a.bit(magnitude, t - 1);",
                                           "const auto half = a.bit(magnitude, t);"),
    "accumulator: carries that can be seen": ("model/sum_shape.h", "return bound.leading() > limit ||",
                                              "return bound.leading() > limit + 1 ||"),
    "leading bits: no sticky bit": (LAYERS + "leading_bits.h",
                                    "a.set_lowest(drop_low(a, placed, total, total - bits), below)",
                                    "a.set_lowest(drop_low(a, placed, total, total - bits), a.all(below, "
                                    "a.truth(false)))"),
    "words: too narrow": (LAYERS + "words.h", "if (std::max(to.width, plan.addend_width()) <= word_bits(a))",
                          "if (std::max(to.width - 16, plan.addend_width()) <= word_bits(a))"),
    "keys: fraction bits": (LAYERS + "keys.h", "if (!late) need += 2 + ceil_log2(node.addends);",
                            "static_cast<void>(late);"),
    "keys: alignment rounding": (LAYERS + "keys.h", "a.subtract(exponent, x.exponent)) + drop;",
                                 "a.subtract(exponent, x.exponent)) + drop - 1;"),
    "keys: normalisation": (LAYERS + "keys.h", "concrete.length(magnitude) > kept + 1",
                            "concrete.length(magnitude) > kept + 2"),
    "keys: carry bits": (LAYERS + "keys.h", "concrete.length(concrete.magnitude(sum)) <= kept + 1",
                         "concrete.length(concrete.magnitude(sum)) <= kept + 2"),
    "keys: result's fraction bits": (LAYERS + "keys.h", "total - 1 - concrete.lowest_one(placed)",
                                     "total - 2 - concrete.lowest_one(placed)"),
    "keys: order of answers": (LAYERS + "keys.h", "P == Parameter::output_fraction_bits;",
                               "P == Parameter::output_fraction_bits || P == Parameter::block_rounding;"),
    "integer sums: joined though c is to come": ("model/plan_integer.cpp", "product.low >= 0 && terms.has_c",
                                                 "product.low >= 0"),
    "evaluator: tables of decoded operands": ("model/evaluator.cpp",
                                              "table_of(plan.b, model.conventions.input_subnormals)",
                                              "table_of(plan.b, Subnormals::kept)"),
    "flat evaluator: the runs of a node": ("model/flat_plan.h", "i < node->runs; ++i", "i + 1 < node->runs; ++i"),
    "block evaluator: units that are not usual": ("model/flat_unit.cpp",
                                                  "adder.normalisation == Normalisation::late && ", ""),
}


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def copy_tree():
    names = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           stdout=subprocess.PIPE, text=True).stdout.split("\0")
    for name in filter(None, names):
        source, target = ROOT / name, COPY / name
        if not source.is_file():
            target.unlink(missing_ok=True)
        elif not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())


def tests_pass():
    """True or False; ends the program where the tests cannot be built."""
    built = run("cmake", "--build", BUILD, "--target", "test_layers")
    if built.returncode != 0:
        sys.exit(built.stdout + "\nthe tests cannot be built")
    return run(BUILD / "test_layers", "--gtest_fail_fast", "--gtest_brief=1").returncode == 0


def main():
    chosen = sys.argv[1:] or list(FAULTS)
    for name in chosen:
        if name not in FAULTS:
            sys.exit(f"no fault '{name}'; there are: " + "; ".join(FAULTS))
    for name in chosen:
        file, text, _ = FAULTS[name]
        count = (ROOT / file).read_text().count(text)
        if count != 1:
            sys.exit(f"{name}: expected once in {file}, found {count} times: {text}")
    copy_tree()
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    configured = run("cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                     "-DCMAKE_CXX_FLAGS_DEBUG=-O1", "-DMMAPRINT_CUDA=OFF", "-DMMAPRINT_BENCH=OFF", *launcher)
    if configured.returncode != 0:
        sys.exit(configured.stdout)
    if not tests_pass():
        sys.exit("the tests fail without any fault")
    missed = []
    for name in chosen:
        file, text, fault = FAULTS[name]
        whole = (ROOT / file).read_text()
        (COPY / file).write_text(whole.replace(text, fault))
        seen = not tests_pass()
        (COPY / file).write_text(whole)
        print(("caught  " if seen else "MISSED  ") + name, flush=True)
        if not seen:
            missed.append(name)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults caught")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
