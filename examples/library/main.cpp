// What does this function compute? It adds two FP32 products to c, the second first: a processor's own
// arithmetic, of which the library knows nothing but the results.
#include <mmaprint/mmaprint.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <vector>

namespace {

float as_float(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

/// d = fma(a1, b1, fma(a0, b0, c)) of each input, K = 2.
std::vector<std::uint64_t> chain_of_two(const mmaprint::InputBatch& inputs) {
  std::vector<std::uint64_t> results;
  for (std::size_t i = 0; i < inputs.n; ++i) {
    float sum = as_float(inputs.c[i]);
    for (std::size_t j = 2 * i; j < 2 * i + 2; ++j)
      sum = std::fma(as_float(inputs.a[j]), as_float(inputs.b[j]), sum);
    results.push_back(std::bit_cast<std::uint32_t>(sum));
  }
  return results;
}

}  // namespace

int main() {
  try {
    mmaprint::IdentifySettings settings;
    settings.instruction = "chain_of_two";
    settings.time_limit = 60;
    const auto found =
        mmaprint::identify(chain_of_two, 2, mmaprint::formats_of("fp32,fp32,fp32,fp32"), settings);
    std::cout << found.text;

    // Its model is the unit, as far as anybody can tell: it gives 1·2 + 3·4 + 5, too.
    const auto pattern = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x)}; };
    const auto d = found.model.value()({pattern(1), pattern(3)}, {pattern(2), pattern(4)}, pattern(5));
    std::cout << "1·2 + 3·4 + 5 = " << as_float(d) << "\n";

    // Checked again, against what it was asked:
    const auto checked = mmaprint::check(*found.model, found.observed);
    std::cout << "the model is " << word(checked.verdict) << " with " << found.observed.inputs.n
              << " observations\n";
    return checked.verdict == mmaprint::CheckVerdict::consistent && as_float(d) == 19 ? 0 : 1;
  } catch (const mmaprint::Error& error) {
    std::cerr << "identify_a_dot_product: " << error.what() << "\n";
    return 2;
  }
}
