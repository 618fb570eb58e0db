#!/usr/bin/env python3
"""Breaks each layer of the datapath, and each of the solver's shortcuts, on purpose, one at a time, and expects
its tests to fail.

usage: scripts/check_layers.py [--build DIR] [FAULT ...]

A fault is a text of one file and what to put in its place. A text that is not there exactly once is an error, so
that faults do not rot. The broken file lies in a folder that comes before the tree's own; only the test that has
to see the fault is compiled, with contracts, and the sources of the rooms that the fault is in, against the libraries
of an existing build (DIR, build/release if not given). So what sees a header's fault has to be the test's own code,
unless sources are named that are compiled with it.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = "model/lowering/"

# What sources need besides.
OPTIONS = {"model/lanes/kernel.cpp": ["-O1", "-march=x86-64-v3", "-maes", "-mpclmul", "-DMMAPRINT_LANE_KERNEL=mmaprint_lanes_v3_64", "-DMMAPRINT_LANE_BITS=64"]}

# name: test (of tests/layers, or with its folder), file, text, fault, and sources to compile with it: of a header, or
# callers that the library may have been compiled together with
FAULTS = {
    "early exits": (
        "layers", LAYERS + "early_exits.h",
        "a.known(condition) != std::optional(false)",
        "a.known(condition) == std::nullopt"),
    "raised exponent: carries that wrap": (
        "layers", LAYERS + "raised_exponent.h",
        "if (!never_wraps(a, node.adder, shape)) return to;",
        "static_cast<void>(shape);"),
    "raised exponent: a place too high": (
        "layers", LAYERS + "raised_exponent.h",
        "node.bits.lowest + kept",
        "node.bits.lowest + kept + 1"),
    "exact rounding: too few bits": (
        "layers", LAYERS + "exact_rounding.h",
        "s + operand) + 3",
        "s + operand) - 1"),
    "exact rounding: two products with the bits of one": (
        "layers/exact_sums", LAYERS + "exact_rounding.h",
        "node.products == 2 ? s + product : product",
        "product", "model/evaluator.cpp"),
    "exact rounding: carry bits that products of factors' exponents leave": (
        "layers", LAYERS + "exact_rounding.h",
        "as_factors ? 0 : 1",
        "as_factors ? 0 : 0"),
    "exact sums: earlier results no larger than products": (
        "layers/exact_sums", "model/plan.cpp",
        "highest = std::max(highest, earlier[run.node].result);",
        "highest = std::max(highest, 0 * earlier[run.node].result);"),
    "exact sums: results no larger than operands": (
        "layers/exact_sums", "model/plan.cpp",
        "highest + static_cast<int>(node.operands) + 3",
        "highest"),
    "exact sums: fewer bits than addends have": (
        "layers/exact_sums", "model/plan_widths.h",
        "std::max(bits, addend_fraction_bits_)",
        "bits", "model/plan.cpp"),
    "idle clamps: partial sums that are rounded up": (
        "solver/idle_edges", "solver/idle_at_node.cpp",
        "if (rounds_up) sum = rounded_up(sum, leading_bit(sum) - *f);",
        "", "solver/idle_values.cpp"),
    "shapes of nodes: products' results and sums in any order": (
        "solver/by_nodes", "solver/by_nodes.cpp",
        "is_part ? ShapeOfNode::kPart : ShapeOfNode::kResult",
        "ShapeOfNode::kResult"),
    "witnesses of nodes: all results of the first operand": (
        "solver/node_input", "solver/node_input.cpp",
        "collect_below(tree, tree.nodes[n], below);",
        "collect_below(tree, tree.nodes[0], below);"),
    "idle zeros: a product's lowest bit that normalisation loses": (
        "inference/idle_zero", "inference/idle_zero.cpp",
        "(!f || bits_of_factors < *f)",
        "(!f || bits_of_factors < *f + 1)"),
    "idle zeros: the sign of a sum of zeros": (
        "inference/idle_zero", "inference/plain_form.cpp",
        "model_.conventions.zero_sign.all_zero != ZeroSign::positive",
        "false"),
    "idle values: products at nodes that add some": (
        "solver/idle_values", "solver/idle_at_node.cpp",
        "node_.products == 0 ||",
        "node_.products >= 0 ||", "solver/idle_values.cpp"),
    "plain forms: bits of what is saturated": (
        "inference/plain_form", "inference/plain_form.cpp",
        "sum.bits = saturates ? f + 1 :",
        "sum.bits = saturates ? std::min(sum.bits, f + 1) :"),
    "accumulator: partial sums of several earlier results": (
        "model/partial_sums", "model/sum_shape.h",
        "shape.others <= 1 ? shape.others : 0;",
        "shape.others;", "model/evaluator.cpp"),
    "plain forms: a NaN that goes on in fewer bits": (
        "inference/plain_form", "inference/plain_form.cpp",
        "own.fraction_bits == d.fraction_bits || !orders_nans()",
        "true || !orders_nans()"),
    "operand ranges: subnormal factors with scales": (
        "solver/idle_edges", "solver/operand_ranges.cpp",
        "unnormalised && !plan_.scales_products()",
        "unnormalised", "solver/node_bounds.cpp", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "signs of zeros: operands that are dropped": (
        "solver/idle_edges", "solver/zero_signs.cpp",
        "if (!is_default_at(node_, box_, Parameter::c_dropped_below)) return {true, true};",
        "", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: the product's exponent": (
        "layers", LAYERS + "exact_rounding.h",
        "return rounds_as_exact(a, plan, node, f);",
        "return rounds_as_exact(a, plan, node, f) || f.has_value();"),
    "accumulator: half of a partial sum": (
        "layers", LAYERS + "aligner.h",
        "const auto half = a.bit(magnitude, t - 1);",
        "const auto half = a.bit(magnitude, t);"),
    "accumulator: carries that can be seen": (
        "layers", "model/sum_shape.h",
        "return bound.leading() > limit ||",
        "return bound.leading() > limit + 1 ||"),
    "accumulator: carried sums": (
        "layers", LAYERS + "accumulator.h",
        "wide.shift_left(magnitude, plan.addend_fraction_bits() - to.kept())",
        "wide.shift_left(magnitude, plan.addend_fraction_bits() - to.kept() - 1)"),
    "accumulator: a kind's own fraction bits": (
        "layers", LAYERS + "accumulator.h",
        "const int kept = f.value_or(to.kept());",
        "const int kept = f ? to.kept() : to.kept();"),
    "raised exponent: sums that are carried": (
        "layers", LAYERS + "raised_exponent.h",
        "if (node.is_carried) return to;",
        ""),
    "keys: a kind's own fraction bits": (
        "audit", LAYERS + "keys.h",
        "return f ? std::min(*f, need) : need;\n    };\n  };\n}\n\n/// c dropped",
        "return f ? std::min(*f, need - 1) : need - 1;\n    };\n  };\n}\n\n/// c dropped"),
    "keys: c dropped": (
        "audit", LAYERS + "keys.h",
        "t && !zero && below > *t",
        "t && !zero && below > *t + 1"),
    "leading bits: no sticky bit": (
        "layers", LAYERS + "leading_bits.h",
        "a.set_lowest(drop_low(a, placed, total, total - bits), below)",
        "a.set_lowest(drop_low(a, placed, total, total - bits), a.all(below, a.truth(false)))"),
    "leading bits: sums that round to the smallest normal number": (
        "layers", LAYERS + "leading_bits.h",
        "a.equals(sum.exponent, d.emin() - 1)",
        "a.equals(sum.exponent, d.emin() - 2)"),
    "words: too narrow": (
        "layers", LAYERS + "words.h",
        "if (std::max(to.width, plan.addend_width()) <= word_bits(a))",
        "if (std::max(to.width - 16, plan.addend_width()) <= word_bits(a))"),
    "keys: fraction bits": (
        "audit", LAYERS + "keys.h",
        "if (!late) need += 2 + ceil_log2(node.addends);",
        "static_cast<void>(late);"),
    "keys: alignment rounding": (
        "audit", LAYERS + "keys.h",
        "a.subtract(exponent, x.exponent)) + drop;",
        "a.subtract(exponent, x.exponent)) + drop - 1;"),
    "keys: normalisation": (
        "audit", LAYERS + "keys.h",
        "concrete.length(magnitude) > kept + 1",
        "concrete.length(magnitude) > kept + 2"),
    "keys: carry bits": (
        "audit", LAYERS + "keys.h",
        "concrete.length(concrete.magnitude(sum)) <= kept + 1",
        "concrete.length(concrete.magnitude(sum)) <= kept + 2"),
    "keys: result's fraction bits": (
        "audit", LAYERS + "keys.h",
        "total - 1 - concrete.lowest_one(placed)",
        "total - 2 - concrete.lowest_one(placed)"),
    "keys: what carries beyond the leading bit": (
        "audit", LAYERS + "keys.h",
        "(concrete.value(half(f)) ? 2 : 0)",
        "0"),
    "keys: order of answers": (
        "audit", "model/parameter_table.h",
        "static constexpr int in_documents = 100, in_proofs = 160;",
        "static constexpr int in_documents = 100, in_proofs = 160; static constexpr bool monotone = true;"),
    "integer sums: products that the tree lacks": (
        "layers", LAYERS + "integer_sums.h",
        "if (is_added(plan, k)) total",
        "if (n > 0) total"),
    "integer sums: joined though c is to come": (
        "layers", "model/plan_integer.cpp",
        "product.low >= 0 && terms.has_c",
        "product.low >= 0"),
    "evaluator: tables of decoded operands": (
        "evaluators", "model/evaluator.cpp",
        "table_of(plan.from_b, plan.b, model.conventions.input_subnormals)",
        "table_of(plan.from_b, plan.b, Subnormals::kept)"),
    "conversion: bits below a larger emin": (
        "conversion", "model/plan.cpp",
        " + std::max(0, f.emin() - info(container).emin())",
        ""),
    "conversion: subnormals that become normal": (
        "conversion", "model/conversion.h",
        "if (from.emin() == to.emin())",
        "if (from.emin() >= to.emin())"),
    "conversion: subnormals that stay so": (
        "conversion", "model/conversion.h",
        "a.shift_right(wide, a.subtract(exponent, leading))",
        "wide"),
    "words: shifts without a branch": (
        "words", "model/wide.h",
        "std::uint64_t{count < 64}",
        "std::uint64_t{1}"),
    "finite blocks: heads that are not plain": (
        "evaluators", "model/heads.h",
        "(entry & PreparedOperand::kSpecial) == 0 && is(0) && is(fraction_)",
        "(entry & PreparedOperand::kSpecial) == 0",
        "model/heads.cpp"),
    "prepared operands: zeros like others": (
        "evaluators", "model/prepared_operand.h",
        "(low & kSignificand) != 0 ? exponent :",
        "low != ~std::uint32_t{0} ? exponent :",
        "model/heads.cpp"),
    "plain products: the smallest for zeros": (
        "evaluators", "model/plain_products.h",
        "a.at_least(largest, smallest)",
        "a.at_least(largest, smallest + 1)"),
    "plain products: zeros beside a dropped c": (
        "lanes", "model/plain_products.h",
        "a.no(a.at_least(product.exponent, smallest))",
        "a.truth(smallest > 0)",
        "model/lanes/kernel.cpp"),
    "plain products: infinities times zeros": (
        "evaluators", "model/plain_products.h",
        "product_is_nan(a, x, y, a.is_zero(x.significand), a.is_zero(y.significand))",
        "a.any(x.nan, y.nan)"),
    "integer evaluator: products of single bits": (
        "model/integer", "model/integer_evaluator.h",
        "return exclusive_or ? (a[k] ^ b[k]) & 1 : a[k] * b[k];",
        "return a[k] * b[k];"),
    "fused chains: conventions that are not the standard's": (
        "device/cuda_fused_chain", "model/fused_chain.cpp",
        " && conventions == Conventions{};",
        ";"),
    "fused chains: directions that overflow to infinity": (
        "device/cuda_fused_chain", "model/fused_chain.cpp",
        "else if (rounding != Rounding::nearest_even)",
        "else if (rounding == Rounding::odd)"),
    "lanes: only the first is asked what is known": (
        "lanes", "model/lanes/lanes.h",
        "if (lanes::hn::AllFalse(lanes::Words(), mask)) return false;",
        "if (!lanes::hn::AllTrue(lanes::Words(), mask)) return false;",
        "model/lanes/kernel.cpp"),
    "lanes: blocks of other products": (
        "lanes", "model/lanes/kernel.cpp",
        "return unit.products[i];",
        "return i;"),
    "lanes: infinite factors that are prepared": (
        "lanes", "model/lanes/preparer.h",
        "special = algebra.any(special, x.nan, x.infinite);",
        "special = algebra.any(special, x.nan);",
        "model/lanes/kernel.cpp"),
    "lanes: products of later places": (
        "lanes", "model/lanes/square.h",
        "detail::shuffled<kLanes / 2>(before[i]",
        "detail::shuffled<0>(before[i]",
        "model/lanes/kernel.cpp"),
    "lanes: NaN by a rule": (
        "lanes", "model/batch_evaluator.cpp",
        "lanes_->by_rule ? one(first + i) : lanes_->nan",
        "lanes_->nan"),
    "lanes: sums that do not fit": (
        "lanes", "model/batch_evaluator.cpp",
        "std::max(needed.operands, needed.sums) <= lane",
        "needed.operands <= lane"),
    "flat evaluator: the runs of a node": (
        "evaluators", "model/flat_plan.h",
        "i < node->runs; ++i",
        "i + 1 < node->runs; ++i"),
    "words needed: an accumulator that is too narrow": (
        "evaluators", "model/flat_evaluator.cpp",
        "needed.sums = std::max(needed.sums, to.width);",
        "needed.sums = std::max(needed.sums, to.width - 8);"),
    "block width: sums of more than 64 bits": (
        "evaluators", "model/flat_evaluator.cpp",
        "needed.sums > kWordBits<std::uint64_t>)",
        "needed.sums > kWordBits<Word128>)"),
    "block width: a block that is shorter": (
        "evaluators", "model/flat_evaluator.cpp",
        "if (!std::ranges::all_of(chain->blocks, equal)) return 0;",
        "static_cast<void>(equal);"),
    "known widths: another format's": (
        "evaluators", "model/known_widths.h",
        "kC = row(C)",
        "kC = row(D)"),
    "block evaluator: units that are not usual": (
        "evaluators", "model/usual_parameters.cpp",
        "adder.normalisation == Normalisation::late && ",
        ""),
    "node bounds: sums that grow when they are aligned": (
        "solver/node_bounds", "solver/node_bounds.cpp",
        "sum += least ? rounded_up(x.*member, e - *least - unit) : x.*member;",
        "sum += x.*member;"),
    "node bounds: the smallest sum": (
        "solver/node_bounds", "solver/node_bounds.cpp",
        "x.lowest_bit - 2 - finest->fraction_bits",
        "x.lowest_bit"),
    "idle values: carry bits": (
        "solver/node_bounds", "solver/idle_at_node.cpp",
        "return carry && bounds_.sum.wraps(*carry);",
        "return carry && bounds_.sum.wraps(*carry + 1);", "solver/idle_values.cpp"),
    "idle values: results that are flushed": (
        "solver/node_bounds", "solver/idle_at_node.cpp",
        "flushed)) return d.emin();",
        "flushed)) return d.emin() + 2;", "solver/idle_values.cpp"),
    "idle values: results that round to zero": (
        "solver/idle_values", "solver/idle_at_node.cpp",
        "return d.emin() - std::min(set(output_fraction_bits).last(), d.fraction_bits);",
        "return d.emin() - std::min(set(output_fraction_bits).first(), d.fraction_bits);", "solver/idle_values.cpp"),
    "idle values: roundings of small results": (
        "solver/node_bounds", "solver/idle_at_node.cpp",
        "if (!rounds_to_zero) return std::nullopt;",
        "static_cast<void>(rounds_to_zero);", "solver/idle_values.cpp"),
    "idle values: subnormal factors that are converted": (
        "solver/idle_values", "solver/idle_values.cpp",
        "from.format.emin() - from.format.fraction_bits >= f.emin()",
        "from.format.emin() >= f.emin()"),
    "idle values: signs of zeros that are flushed to +0": (
        "solver/idle_values", "solver/idle_values.cpp",
        ".without(ValueSet::single(static_cast<int>(Subnormals::flushed_positive)))",
        ""),
    "idle values: what is dropped where a clamp is E": (
        "solver/idle_drop", "solver/dropped_c.cpp",
        "return highest_of_none - t <= x.lowest_e && is_aligned_to_nothing(node, box, x, t);",
        "return is_aligned_to_nothing(node, box, x, t);", "solver/idle_values.cpp",
        "solver/idle_at_node.cpp"),
    "idle values: what is dropped beside a carried sum that cancelled": (
        "solver/idle_drop", "solver/dropped_c.cpp",
        "return cancels_alike(node, box) && std::ranges",
        "return (cancels_alike(node, box) || t >= 0) && std::ranges", "solver/idle_values.cpp",
        "solver/idle_at_node.cpp"),
    "idle values: what is dropped and would round to the nearest": (
        "solver/idle_drop", "solver/dropped_c.cpp",
        "? *f < above",
        "? *f <= above", "solver/idle_values.cpp",
        "solver/idle_at_node.cpp"),
    "idle values: who sees the sign of a zero": (
        "solver/idle_values", "solver/idle_at_node.cpp",
        "return is_positive_zero() || !sign_.shows ?",
        "return is_positive_zero() || &node_ != &plan_.nodes.back() ?", "solver/idle_values.cpp"),
    "idle values: bits of sums that were wrapped": (
        "solver/idle_edges", "solver/idle_at_node.cpp",
        "carry.value_or(bounds_.sum.leading_above_e));",
        "carry.value_or(bounds_.sum.leading_above_e)) - 1;", "solver/idle_values.cpp"),
    "idle values: directions of rounding that overflow follows": (
        "solver/idle_edges", "solver/idle_at_node.cpp",
        "if (follows_direction || !is_exact_with",
        "if ((follows_direction && bounds_.is_plain) != follows_direction || !is_exact_with",
        "solver/idle_values.cpp"),
    "idle values: bits of what sums are saturated to": (
        "solver/idle_edges", "solver/idle_at_node.cpp",
        "is_only(Parameter::overflow, Overflow::infinity)) &&",
        "true) &&", "solver/idle_values.cpp"),
    "idle values: sums of two that grow": (
        "solver/idle_edges", "solver/exact_rounding.cpp",
        "f_ > x.fraction_bits + y.below_leading;",
        "f_ > x.fraction_bits;", "solver/idle_values.cpp"),
    "next node: bits beyond those that are left": (
        "solver/next_node", "solver/next_node.cpp",
        "== AlignmentRounding::nearest_even ? 2 : 1",
        "== AlignmentRounding::nearest_even ? 1 : 1", "solver/idle_values.cpp"),
    "next node: results that are too large": (
        "solver/next_node", "solver/next_node.cpp",
        "bounds.overflows || ", "", "solver/idle_values.cpp"),
    "next node: halves of what is left": (
        "solver/next_node", "solver/next_node.cpp",
        "below = *lowest_e - *most - 1;",
        "below = *lowest_e - *most + 1;", "solver/idle_values.cpp"),
    "next node: signs of zeros": (
        "solver/next_node", "solver/next_node.cpp",
        "shows_signs(next, box, small) || ", "", "solver/idle_values.cpp"),
    "next node: zeros that are never negative": (
        "solver/next_node", "solver/next_node.cpp",
        "(is_down || small == SmallResults::zeros_of_any_sign)", "is_down", "solver/idle_values.cpp"),
    "next node: sums of zeros that are rounded down": (
        "solver/next_node", "solver/next_node.cpp",
        "(is_down || small == ", "(small == ", "solver/idle_values.cpp"),
    "next node: zeros that decide E": (
        "solver/next_node", "solver/next_node.cpp",
        "|| !is_default_at(next, box, Parameter::zero_addends)", "", "solver/idle_values.cpp"),
    "next node: E beside subnormal results": (
        "solver/next_node", "solver/next_node.cpp",
        "*clamp >= node.result.emin()",
        "*clamp >= node.result.emin() - 10", "solver/idle_values.cpp"),
    "signs of zeros: that of any zero where sums are rounded down": (
        "solver/idle_values", "solver/zero_signs.cpp",
        "(node_.is_carried || is_down() || negative_operands(earlier).all)",
        "(node_.is_carried || negative_operands(earlier).all)"),
    "signs of zeros: what is rounded to zero": (
        "solver/node_bounds", "solver/zero_signs.cpp",
        "(vanishes && may_round_to_negative_zero(node_, box_) && follows(Parameter::zero_rounded)) ||",
        ""),
    "signs of zeros: that of the result": (
        "solver/node_bounds", "solver/zero_signs.cpp",
        "signs.back().shows = true;",
        ""),
    "idle values: what wraps below a clamp": (
        "solver/node_bounds", "solver/idle_at_node.cpp",
        "const int limit = clamp + *carry - unit;",
        "const int limit = clamp + *carry + 2 - unit;", "solver/idle_values.cpp"),
    "relays: parameters that are open": (
        "solver/relays", "solver/relays.cpp",
        "if (hypotheses == nullptr) return true;",
        "if (hypotheses == nullptr || of_class >= 0) return true;"),
    "joins: a place too coarse": (
        "solver/joins", "solver/joins.cpp",
        "*f >= most_bits + 1 + sticky;",
        "*f >= most_bits + sticky;"),
    "joins: how small what is carried is": (
        "solver/joins", "solver/joins.cpp",
        "above > y->leading_above_e",
        "above > y->leading_above_e - 4"),
    "rounded to odd: one bit more": (
        "solver/rounded_to_odd", "solver/rounded_to_odd.cpp",
        "between >= left + 2",
        "between >= left + 1"),
    "rounded to odd: a last node that loses bits": (
        "solver/rounded_to_odd", "solver/rounded_to_odd.cpp",
        "*fewest >= fraction_bits",
        "*fewest >= fraction_bits - 8"),
    "overflow alike: what follows rounding to odd": (
        "solver/rounded_to_odd", "solver/overflow_alike.cpp",
        "after != nullptr ? *after : node",
        "node"),
    "idle values: one operand of more bits": (
        "solver/rounded_to_odd", "solver/idle_at_node.cpp",
        "bounds_.each[0].below_leading <= bits",
        "bounds_.each[0].below_leading <= bits + 1", "solver/idle_values.cpp"),
    "zeros beside scales": (
        "solver/zeros_beside_scales", "solver/node_bounds.cpp",
        "std::max(plan.scales.highest(), 0)",
        "0"),
    "exact rounding: a sticky bit": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "f_ >= below_e + most_bits + places_below() + 2",
        "f_ >= below_e + most_bits + places_below() + 1", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: how small what loses bits is": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "f_ < below_e + of_y + 1",
        "f_ < below_e + of_y - 1", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: what is left of a sign": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "y.smallest >= highest_e - bits",
        "y.smallest >= highest_e - bits - 2", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: how near x is to x": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "bits >= of_y + decided_by;",
        "bits >= of_y + decided_by - 2;", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: what lies between x and the next number": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "bits > of_y + std::max(x.fraction_bits, decided_by)",
        "bits > of_y", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: what is rounded down twice": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "mode_ == AlignmentRounding::floor && results_.is_only(Rounding::down);",
        "mode_ == AlignmentRounding::floor;", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: what a product leaves of a power of two": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "std::min(y.factors->x, y.factors->y)",
        "std::min(y.factors->x, y.factors->y) - 2", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: a product that is a partial sum": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "(x.leading_above_e <= 0 ||",
        "(x.leading_above_e <= 1 ||", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: products far below a multiple": (
        "solver/product_refinement", "solver/product_lemmas.cpp",
        "(std::uint64_t{1} << boundary) - largest >= std::uint64_t{1} << lost",
        "(std::uint64_t{1} << boundary) - largest >= std::uint64_t{1} << lost >> 3"),
    "exact rounding: subnormal factors": (
        "solver/exact_rounding", "solver/node_bounds.h",
        "return exponent > lowest_e ? below_e_of_one : below_e;",
        "return 0;", "solver/exact_rounding.cpp", "solver/exponent_pairs.cpp", "solver/node_bounds.cpp", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: overflow to nearest": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "is_small(emax + 1, most_bits_ + 4)",
        "is_small(emax + 1, 0)", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: overflow": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "return is_small(emax + 2, 2) ? from(emax + 2)",
        "return is_small(emax + 1, 2) ? from(emax + 1)", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: the finest places of results": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "finer_below_normal() - places_below() + bits;",
        "finer_below_normal() - places_below() + bits + 1;", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: normalising what is finite": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "node_.result.emax() - f_ <= y.lowest_bit",
        "node_.result.emax() - f_ <= y.lowest_bit + 100", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: sums that are cut before they are rounded": (
        "solver/exact_rounding", "solver/node_rounding.h",
        "f > most_bits() + (has_ties() ? 1 : 0)",
        "f > most_bits()", "solver/exact_rounding.cpp", "solver/exponent_pairs.cpp", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: operands that are cut as partial sums": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "node.operands <= 2 ||",
        "node.operands <= 3 ||", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: clamps": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "losing == 0 ||",
        "losing <= 1 ||", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: products beside ties": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "if ((unit == boundary || down) && lies(Beside::above)) return true;",
        "static_cast<void>(down);", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: sums that are flushed": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "mode_ == AlignmentRounding::floor && !results_.may_flush(FlushTest::before)",
        "mode_ == AlignmentRounding::floor", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: c beyond the largest result": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "x.subnormal_e ? std::max(first, *x.subnormal_e + 1) : first",
        "first", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "exact rounding: products that cancel c": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "&& !never_cancels(x, y))",
        "&& !y.factors.has_value())", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "lemmas: bits that words do not have": (
        "solver/lemma_check", "solver/encoding.cpp",
        "if (!is_within(lemma.excluded, widths))",
        "if (widths.x < 0)"),
    "exact rounding: numbers that results may be": (
        "solver/exact_rounding", "solver/exact_rounding.cpp",
        "x.fraction_bits + x.leading_above_e <= fewest",
        "x.fraction_bits <= fewest", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "product lemmas: the lowest bits of a factor": (
        "solver/product_lemmas", "solver/product_lemmas.cpp",
        "const int zeros = std::min(std::countr_zero(x), known_low);",
        "const int zeros = 0;"),
    "product lemmas: the largest factor": (
        "solver/product_lemmas", "solver/product_lemmas.cpp",
        "std::min(highest, all)",
        "std::min(highest, all) - 1"),
    "product lemmas: bits that are given up": (
        "solver/product_lemmas", "solver/product_lemmas.cpp",
        "if (!find_factors(fewer, widths, tried)) known = fewer;",
        "known = fewer;"),
    "justification: branches that are not taken": (
        "solver/product_refinement", "solver/justification.cpp",
        "return {{x, of(x) ? y : gate.x[2]}, 2};",
        "return {{x, of(x) ? gate.x[2] : y}, 2};"),
    "product refinement: factors of another product": (
        "solver/product_refinement", "solver/product_refinement.cpp",
        "std::ranges::all_of(values,",
        "std::ranges::any_of(values,"),
    "free products: how long they are": (
        "solver/free_products", "solver/aig_gates.cpp",
        "aig_->disjunction(product[top], product[top - 1])",
        "product[top]"),
    "maxima: what is left out": (
        "solver/algebra", "solver/symbolic_integers.h",
        "return part.high <= y.low;",
        "return part.low <= y.low;"),
    "without idle values: all but one": (
        "solver/node_bounds", "solver/idle_values.cpp",
        "box[key] = box[key].without(idle);",
        "box[key] = ValueSet();"),
    "subnormal c: an exponent among products": (
        "solver/subnormal_c", "solver/subnormal_c.cpp",
        "lowest_e - *bits - halves >= plan.c.emin()",
        "lowest_e - *bits - halves >= plan.c.emin() - 1"),
    "few products: fewer bits than the operand has": (
        "inference/few_products", "inference/few_products.cpp",
        "if (adder.output_fraction_bits < fraction_bits || adder.c_dropped_below) return false;",
        "if (adder.c_dropped_below) return false;"),
    "few products: clamps": (
        "inference/few_products", "inference/few_products.cpp",
        "*clamp - kept <= f.emin() - f.fraction_bits",
        "*clamp - kept <= f.emin()"),
    "few products: sums of zeros that are rounded down": (
        "inference/few_products", "inference/few_products.cpp",
        "adder.rounding != Rounding::down;",
        "adder.rounding == adder.rounding;"),
    "few products: negative zeros": (
        "inference/few_products", "inference/few_products.cpp",
        "signs != ZeroSigns{kPositive, kPositive, kPositive, kPositive}",
        "signs != signs && kPositive == ZeroSign::positive"),
    "few products: carries": (
        "inference/few_products", "inference/few_products.cpp",
        "if (carry_can_wrap(adder.extra_carry_bits, shape)) return;",
        "static_cast<void>(shape);"),
    "few products: what alignment loses of one operand": (
        "inference/few_products", "inference/few_products.cpp",
        "if (kept < digits->fraction_bits + digits->more ||",
        "if (kept + 1 < digits->fraction_bits + digits->more ||"),
    "few products: a product that is normalised": (
        "inference/few_products", "inference/few_products.cpp",
        "is_normalised ? 1 : 0",
        "is_normalised ? 0 : 0"),
    "few products: a subnormal c that is cut off, and does not raise E": (
        "inference/few_products", "inference/few_products.cpp",
        "(may_cut_off_all_of_c(before) &&",
        "(may_cut_off_all_of_c(before) && !drops_zeros_ &&"),
    "few products: zeros beside an operand that is dropped": (
        "inference/few_products", "inference/few_products.cpp",
        "!(have_signs && adder.c_dropped_below)",
        "!(have_signs && adder.c_dropped_below && adder.product == ProductKind::exact_normalised)"),
    "few products: a c that is cut off": (
        "inference/few_products", "inference/few_products.cpp",
        "adder.output_fraction_bits >= adder.alignment_fraction_bits.value_or(INT_MAX)",
        "truncates"),
    "pairs of exponents: a sticky bit in the last place that decides": (
        "solver/exponent_pairs", "solver/exponent_pairs.cpp",
        "is_sticky && !results_.is_only(Rounding::odd) ? unit + 1 : unit",
        "unit"),
    "pairs of exponents: the smallest normal number less a little": (
        "solver/exponent_pairs", "solver/exponent_pairs.cpp",
        "!(results_.may_flush(FlushTest::before) && may_be_smallest_normal)",
        "true"),
    "pairs of exponents: other places of a sticky bit": (
        "solver/exponent_pairs", "solver/exponent_pairs.cpp",
        "for (int to = places; to > 0; --to)",
        "for (int to = places; to == places; --to)", "solver/exact_rounding.cpp", "solver/idle_values.cpp", "solver/idle_at_node.cpp"),
    "pairs of exponents: the highest clamp": (
        "solver/exponent_pairs", "solver/exact_rounding.cpp",
        "std::max(highest_clamp_, ClampDomain::value(clamp))",
        "highest_clamp_ ? highest_clamp_ : ClampDomain::value(clamp)"),
    "products beside ties: normal factors": (
        "solver/product_refinement", "solver/product_lemmas.cpp",
        "std::uint64_t{1} << (bits - 1) : 0",
        "std::uint64_t{1} << (bits - 2) : 0"),
    "pairs of exponents: partial sums": (
        "solver/exponent_pairs", "solver/exponent_pairs.cpp",
        "leading > e && lowest_bit < leading - alignment_.fraction_bits",
        "leading > e + 2 && lowest_bit < leading - alignment_.fraction_bits"),
    "pairs of exponents: nothing left of a product": (
        "solver/exponent_pairs", "solver/exponent_pairs.cpp",
        "if (may_vanish && (x == nullptr || !is_left_alone(*x))) return false;",
        "static_cast<void>(may_vanish);"),
    "pairs of exponents: a grown sum is cut up": (
        "solver/exponent_pairs", "solver/exponent_pairs.cpp",
        "both_ways || alignment_.rounding",
        "alignment_.rounding"),
    "pairs of exponents: cut twice, and rounded to nearest": (
        "solver/exponent_pairs", "solver/exponent_pairs.cpp",
        "results_.is_only(Rounding::nearest_away));",
        "results_.is_to_nearest());"),
    "idle values: zeros of sums that round to zero and of flushed ones": (
        "solver/node_bounds", "solver/idle_at_node.cpp",
        "test != FlushTest::after || ",
        "true || ", "solver/idle_values.cpp"),
    "idle values: sums below zero that round to zero": (
        "solver/node_bounds", "solver/zero_signs.cpp",
        "return std::ranges::any_of(modes.values(), [](int mode) {",
        "return std::ranges::all_of(modes.values(), [](int mode) {", "solver/idle_values.cpp"),
    "bounds: the exponent of subnormal results": (
        "solver/node_bounds", "solver/node_bounds.cpp",
        "std::max(f.emin(), x.largest_exponent),",
        "x.largest_exponent,"),
    "bounds: rounding down what nothing is left of": (
        "solver/idle_values", "solver/idle_at_node.cpp",
        "(node_.operands == 1 && !loses())",
        "node_.operands == 1", "solver/idle_values.cpp"),
    "bounds: the largest number of few bits": (
        "solver/node_bounds", "solver/node_bounds.cpp",
        "ranges_.largest_of(d, most_bits)",
        "ranges_.largest_of(d)"),
    "race: won by the first way, whatever it took": (
        "solver/race", "solver/first_answer.cpp",
        "std::pair(!x.is_decided(), x.steps) < std::pair(!y.is_decided(), y.steps)",
        "!x.is_decided() < !y.is_decided()"),
    "race: lost, and run on": (
        "solver/race", "solver/cadical.cpp",
        "return search_.has_lost(conflicts_.count()) ||",
        "return"),
    "race: without what came before": (
        "solver/race", "solver/limits.h",
        "rest.racing.before += spent_;",
        ""),
    "sets: no look at two models": (
        "inference/equivalence", "inference/equivalence.cpp",
        "if (steps < kLeastForUnit || nearest == model_ ||",
        "if (steps < kLeastForUnit || nearest.k > 0 || nearest == model_ ||"),
    "traits: of any share of the others": (
        "inference/common_trait", "inference/common_trait.cpp",
        "return share <= 0.5 && surprise >= std::log(kOneIn * trials);",
        "return share <= 1 && surprise >= 0 * trials * kOneIn;"),
    "traits: a NaN that is positive": (
        "inference/common_trait", "inference/common_trait.cpp",
        " && !is_nan(f, value_of(x));",
        ";"),
    "subnormal c: beside a result": (
        "solver/subnormal_c", "solver/subnormal_c.cpp",
        "values(Parameter::output_fraction_bits).first() >= format.fraction_bits &&",
        "values(Parameter::output_fraction_bits).first() >= format.fraction_bits - 1 &&"),
    "integer form: sums that may saturate before the last": (
        "inference/integer_form", "inference/integer_form.cpp",
        "bounds_[n] <= largest_;",
        "bounds_[n] <= 2 * largest_ + 1;"),
    "integer form: products smaller than they can be": (
        "inference/integer_form", "inference/integer_form.cpp",
        "<< (a.fraction_bits + b.fraction_bits);",
        "<< a.fraction_bits;"),
    "integer form: bits that are combined otherwise": (
        "inference/integer_form", "inference/integer_form.cpp",
        "    adder.product = model_.adders.front().product;\n",
        ""),
}


def run(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def options(source):
    """Also of a broken copy."""
    return next((wanted for file, wanted in OPTIONS.items() if source.endswith(file)), [])


def tests_pass(build, test, overlay, sources):
    """Compiles a test, and sources in place of the library's, with the overlay's files."""
    room, name = test.split("/") if "/" in test else ("layers", test)
    path = f"tests/{room}/{name}_test.cpp"
    of_layers = room == "layers"
    rooms = {"layers": [], "model": [], "device": ["device"], "solver": ["solver"], "inference": ["inference", "solver", "device"]}[room]
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for source in [path, *sources]:
            objects.append(f"{folder}/{len(objects)}.o")
            # Those of the other rooms run for longer than it takes to optimise them.
            compiled = run("c++", "-std=c++20", "-O0" if of_layers else "-O1", *options(source), "-I", overlay, "-I", "tests",
                           "-I", ".", "-c", source, "-o", objects[-1])
            if compiled.returncode != 0:
                sys.exit(compiled.stdout + f"\n{source} can't be compiled")
        libraries = [build / "tests/libmmaprint_skeleton_units.a", *(build / f"{room}/libmmaprint_{room}.a" for room in rooms),
                     build / "tests/libmmaprint_test_support.a", build / "tests/libmmaprint_oracle.a",
                     build / "model/libmmaprint_model.a", build / "base/libmmaprint_base.a"]
        # What is defined twice, a broken source's functions, is the first one's.
        linked = run("c++", *objects, "-o", f"{folder}/test", "-Wl,--allow-multiple-definition", *libraries, "-lgtest_main", "-lgtest", "-lgmpxx", "-lgmp",
                     "-lfmt", "-lcrypto", "-lz", "-pthread", *([] if of_layers else ["-lcadical", "-lz3", "-lspdlog"]))
        if linked.returncode != 0:
            sys.exit(linked.stdout + f"\n{path} can't be linked")
        return run(f"{folder}/test", "--gtest_fail_fast", "--gtest_brief=1").returncode == 0


def is_caught(build, name):
    test, file, text, fault, *sources = FAULTS[name]
    with tempfile.TemporaryDirectory() as overlay:
        broken = pathlib.Path(overlay) / file
        broken.parent.mkdir(parents=True)
        broken.write_text((ROOT / file).read_text().replace(text, fault))
        return not tests_pass(build, test, overlay, [*([str(broken)] if file.endswith(".cpp") else []), *sources])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("faults", nargs="*", metavar="FAULT")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    chosen = arguments.faults or list(FAULTS)
    for name in chosen:
        if name not in FAULTS:
            sys.exit(f"no fault '{name}'; there are: " + "; ".join(FAULTS))
    for name, (_, file, text, *_) in FAULTS.items():
        count = (ROOT / file).read_text().count(text)
        if count != 1:
            sys.exit(f"{name}: expected once in {file}, found {count} times: {text}")
    built = run("cmake", "--build", str(build), "--target", "mmaprint_test_support", "mmaprint_skeleton_units", "mmaprint_inference")
    if built.returncode != 0:
        sys.exit(built.stdout + "\nthe libraries can't be built")
    for test in sorted({FAULTS[name][0] for name in chosen}):
        if not tests_pass(build, test, ".", []):
            sys.exit(f"the test {test} fails without any fault")
    missed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
        for name, caught in zip(chosen, several.map(lambda name: is_caught(build, name), chosen)):
            print(("caught  " if caught else "MISSED  ") + name, flush=True)
            if not caught:
                missed.append(name)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults caught")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
