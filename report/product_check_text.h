// A product of matrices that was compared with a model's.
#pragma once

#include "inference/product_check.h"
#include "report/style.h"

namespace mmaprint {

[[nodiscard]] std::string check_text(const ProductCheck& result, const Style& style);

}  // namespace mmaprint
