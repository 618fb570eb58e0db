#include "emit/tree_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace mmaprint::emit {
namespace {

bool are_neighbours(const std::vector<int>& indices) {
  for (std::size_t i = 1; i < indices.size(); ++i)
    if (indices[i] != indices[0] + static_cast<int>(i)) return false;
  return true;
}
bool takes_each(const PlannedCall& x) { return x.scales && x.scales->each; }

}  // namespace

TreeWriter::TreeWriter(const Type& a, const Type& b, int k, std::optional<UnitScales> scales)
    : k_(k),
      a_(variable("a_values", array(a, k))),
      b_(variable("b_values", array(b, k))),
      scales_(std::move(scales)) {}

void TreeWriter::announce(const Type& type) {
  types_.push_back(type);
  names_.push_back(fmt::format("sum_{}", names_.size() + 1));
}

Expr TreeWriter::write(Body& body, const std::vector<PlannedCall>& calls) {
  append_each_scale(body, calls);
  Expr last;
  for (std::size_t n = 0; n < calls.size();) {
    const std::size_t end = end_of_loop(calls, n);
    if (end - n >= 3) {
      last = loop(body, calls, n, end);
      n = end;
    } else {
      last = one(body, calls[n], n);
      ++n;
    }
  }
  return last;
}

void TreeWriter::append_each_scale(Body& body, const std::vector<PlannedCall>& calls) {
  if (std::ranges::none_of(calls, takes_each)) return;
  each_scale_ = scales_->per == 1
                    ? scales_->blocks
                    : body.fill("scale_of_product", k_, [&](const Expr& i) { return scales_->of(i); });
}

/// The nodes from n on that a loop can be: one function, each taking the one before, and the products
/// beside those of the one before.
std::size_t TreeWriter::end_of_loop(const std::vector<PlannedCall>& calls, std::size_t n) {
  const PlannedCall& first = calls[n];
  std::size_t end = n + 1;
  if (first.products.empty() || !are_neighbours(first.products) || first.others.size() != 1) return end;
  for (; end < calls.size(); ++end) {
    const PlannedCall& x = calls[end];
    const int width = static_cast<int>(first.products.size());
    if (x.function.name != first.function.name || x.earlier != static_cast<int>(end) - 1 ||
        !are_neighbours(x.products) ||
        x.products.front() != first.products.front() + width * static_cast<int>(end - n))
      break;
  }
  return end;
}

std::vector<Expr> TreeWriter::arguments(Body& body, const PlannedCall& x, std::size_t n) {
  if (x.products.empty()) return {};
  const int count = static_cast<int>(x.products.size());
  const bool neighbours = are_neighbours(x.products);
  const auto of_products = [&](const char* name, const Expr& all) {
    return neighbours ? slice(all, number(x.products[0]), count)
                      : body.gather(fmt::format("{}_{}", name, n + 1), all, x.products);
  };
  std::vector<Expr> all{of_products("a", a_), of_products("b", b_)};
  if (x.scales)
    all.push_back(x.scales->each ? of_products("scales", each_scale_) : scales_->of(number(x.products[0])));
  return all;
}

Expr TreeWriter::one(Body& body, const PlannedCall& x, std::size_t n) {
  auto all = arguments(body, x, n);
  all.insert(all.end(), x.others.begin(), x.others.end());
  return body.define(names_[n], call(x.function, std::move(all)));
}

Expr TreeWriter::loop(Body& body, const std::vector<PlannedCall>& calls, std::size_t n, std::size_t end) {
  const PlannedCall& first = calls[n];
  const int width = static_cast<int>(first.products.size());
  const std::string& name = names_[end - 1];
  const Expr sum = body.start(name, first.others.front());
  body.repeat("block", static_cast<int>(end - n), [&](const Expr& block, Body& inside) {
    const Expr from =
        (width == 1 ? block : cast(block * number(width), exponent_type())) + number(first.products[0]);
    std::vector<Expr> all{slice(a_, from, width), slice(b_, from, width)};
    if (takes_each(first))
      all.push_back(slice(each_scale_, from, width));
    else if (first.scales)
      all.push_back(scales_->of(from));
    all.push_back(sum);
    inside.assign(sum, call(first.function, std::move(all)));
  });
  return sum;
}

}  // namespace mmaprint::emit
