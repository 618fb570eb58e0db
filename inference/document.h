// Results as the JSON documents that --json prints.
#pragma once

#include "inference/certificate.h"
#include "inference/check.h"
#include "inference/identify.h"
#include "inference/validate.h"
#include "inference/verification.h"

namespace mmaprint {

inline constexpr std::string_view kCheckSchema = "mmaprint/check/1";
inline constexpr std::string_view kValidationSchema = "mmaprint/validation/1";
inline constexpr std::string_view kVerificationSchema = "mmaprint/verification/1";

[[nodiscard]] std::string_view text(Identification::Verdict verdict);
[[nodiscard]] std::string_view text(CheckResult::Verdict verdict);
[[nodiscard]] std::string_view text(AgreementVerdict verdict);
[[nodiscard]] std::string_view text(Verification::Verdict verdict);
[[nodiscard]] std::string_view text(SurvivorClass::Standing standing);

/// A feature whose values no input can tell apart, as the proved survivors show.
struct Unobservable {
  std::string feature;              ///< as in `features`; "zero_sign.cancelled" for nested ones
  std::vector<Json> values;         ///< the representative's first
  std::vector<std::size_t> proofs;  ///< indices of the survivors that have the other values
};
[[nodiscard]] std::vector<Unobservable> unobservable(const Space& space, const Identification& result,
                                                     const Deadline& deadline = {});

/// The representative as a certificate's model document, with `device` and all that is `unobservable`, its
/// proofs named. Requires result.model. Throws DeadlinePassed.
[[nodiscard]] Json model_document(const Search& search, const Identification& result,
                                  const std::string& device, const Deadline& deadline = {});

/// The identification document, in short (inference/summary.h); `certificate` is the directory, if one is
/// written.
[[nodiscard]] Json identification_document(const Search& search, const Identification& result,
                                           const std::string& device,
                                           const std::optional<std::string>& certificate);
[[nodiscard]] Json check_document(const CheckResult& result);
/// Of one device, or of several: then with a list of theirs. Requires one at least.
[[nodiscard]] Json validation_document(const std::vector<DeviceValidation>& all, std::uint64_t seed);
[[nodiscard]] Json verification_document(const Verification& result);

}  // namespace mmaprint
