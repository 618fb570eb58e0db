#include "emit/octave_prelude.h"

#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace mmaprint::emit {
namespace {

struct Helper {
  std::string_view name, text;
};

/// Wide numbers are rows of limbs of 24 bits, the lowest first; negative ones are two's complements.
constexpr std::array kHelpers{
    Helper{"choose", R"(function z = choose(condition, x, y)
  % Of two values or records, the first where the condition holds.
  if isstruct(y)
    z = y;
    for name = fieldnames(y)'
      z.(name{1}) = choose(condition, x.(name{1}), y.(name{1}));
    end
    return
  end
  n = max([size(condition, 1), size(x, 1), size(y, 1)]);
  condition = condition | false(n, 1);
  z = y(min(1:n, size(y, 1)), :);
  x = x(min(1:n, size(x, 1)), :);
  z(condition, :) = x(condition, :);
end
)"},
    Helper{"bit_length", R"(function length = bit_length(x)
  % How many bits each number has up to its leading one: 0 for 0.
  [~, length] = log2(x);
end
)"},
    Helper{"wrapped", R"(function x = wrapped(x, bits)
  % The lowest bits as a two's complement number.
  x = mod(x, 2 ^ bits);
  x = x - 2 ^ bits * (x >= 2 ^ (bits - 1));
end
)"},
    Helper{"wide_wrapped", R"(function x = wide_wrapped(x, bits)
  % The lowest bits as a two's complement number.
  for i = 1:size(x, 2)
    x(:, i) = mod(x(:, i), 2 ^ min(max(bits - 24 * (i - 1), 0), 24));
  end
  top = floor((bits - 1) / 24) + 1;
  negative = floor(x(:, top) / 2 ^ mod(bits - 1, 24)) > 0;
  if floor(bits / 24) < size(x, 2)
    limb = floor(bits / 24) + 1;
    x(:, limb) = x(:, limb) - negative * 2 ^ mod(bits, 24);
    x = wide_carried(x);
  end
end
)"},
    Helper{"wide_bit_length", R"(function length = wide_bit_length(x)
  % How many bits each number has up to its leading one: 0 for 0.
  length = zeros(size(x, 1), 1);
  for i = 1:size(x, 2)
    [~, bits] = log2(x(:, i));
    length = max(length, (x(:, i) > 0) .* (24 * (i - 1) + bits));
  end
end
)"},
    Helper{"wide_magnitude", R"(function x = wide_magnitude(x)
  negative = wide_is_negative(x);
  x(negative, :) = wide_carried(-x(negative, :));
end
)"},
    Helper{"wide_is_negative", R"(function negative = wide_is_negative(x)
  negative = x(:, end) >= 2 ^ 23;
end
)"},
    Helper{"wide_shift_left", R"(function z = wide_shift_left(x, by)
  n = max(size(x, 1), size(by, 1));
  x = x + zeros(n, 1);
  by = by + zeros(n, 1);
  limbs = floor(by / 24);
  z = zeros(size(x));
  for s = 0:size(x, 2) - 1
    rows = limbs == s;
    z(rows, s + 1:end) = x(rows, 1:end - s);
  end
  z = wide_carried(z .* 2 .^ mod(by, 24));
end
)"},
    Helper{"wide_shift_right", R"(function z = wide_shift_right(x, by)
  n = max(size(x, 1), size(by, 1));
  x = x + zeros(n, 1);
  by = by + zeros(n, 1);
  limbs = floor(by / 24);
  by = 2 .^ mod(by, 24);
  z = zeros(size(x));
  for s = 0:size(x, 2) - 1
    rows = limbs == s;
    z(rows, 1:end - s) = x(rows, s + 1:end);
  end
  above = [z(:, 2:end), zeros(n, 1)];
  z = floor(z ./ by) + mod(above, by) .* (2 ^ 24 ./ by);
end
)"},
    Helper{"wide_product", R"(function z = wide_product(x, y, limbs)
  z = zeros(max(size(x, 1), size(y, 1)), limbs);
  for i = 1:min(size(x, 2), limbs)
    for j = 1:min(size(y, 2), limbs + 1 - i)
      z(:, i + j - 1) = z(:, i + j - 1) + x(:, i) .* y(:, j);
    end
  end
  z = wide_carried(z);
end
)"},
    Helper{"wide_bitor", R"(function z = wide_bitor(x, y)
  z = bitor(x + zeros(size(y)), y + zeros(size(x)));
end
)"},
    Helper{"wide_equal", R"(function same = wide_equal(x, y)
  same = all(x == y, 2);
end
)"},
    Helper{"narrow", R"(function y = narrow(x, bits)
  % A number's lowest bits, no more than 53, as a number.
  y = zeros(size(x, 1), 1);
  for i = 1:min(size(x, 2), 3)
    y = y + mod(x(:, i), 2 ^ min(max(bits - 24 * (i - 1), 0), 24)) * 2 ^ (24 * (i - 1));
  end
end
)"},
    Helper{"wide_resized", R"(function y = wide_resized(x, limbs)
  % A number of as many limbs; no negative one has more before.
  y = [x(:, 1:min(end, limbs)), zeros(size(x, 1), limbs - size(x, 2))];
end
)"},
    Helper{"wide", R"(function y = wide(x, limbs)
  % A natural below 2^53 in limbs of 24 bits, the lowest first.
  y = zeros(size(x, 1), limbs);
  for i = 1:min(limbs, 3)
    y(:, i) = mod(x, 2 ^ 24);
    x = floor(x / 2 ^ 24);
  end
end
)"},
    Helper{"wide_carried", R"(function z = wide_carried(z)
  % Limbs brought into 0 .. 2^24 - 1; what leaves at the top is dropped.
  for i = 1:size(z, 2)
    carry = floor(z(:, i) / 2 ^ 24);
    z(:, i) = z(:, i) - carry * 2 ^ 24;
    if i < size(z, 2)
      z(:, i + 1) = z(:, i + 1) + carry;
    end
  end
end
)"},
};

/// (A longer name may end like this one.)
bool calls(const std::string& text, std::string_view name) {
  const std::string call = std::string(name) + "(";
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1))
    if (at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_'))
      return true;
  return false;
}

}  // namespace

std::string octave_prelude(const std::string& text) {
  std::string all;
  for (const Helper& helper : kHelpers)  // each before those that it calls
    if (calls(text, helper.name) || calls(all, helper.name)) all += "\n" + std::string(helper.text);
  return all;
}

}  // namespace mmaprint::emit
