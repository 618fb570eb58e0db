// What checks found, for people: of a model against observations, of a certificate.
#pragma once

#include <string>

#include "inference/check.h"
#include "inference/verification.h"
#include "report/style.h"

namespace mmaprint {

[[nodiscard]] std::string check_text(const CheckResult& result, const Style& style);
[[nodiscard]] std::string verification_text(const Verification& result, const Style& style);

}  // namespace mmaprint
