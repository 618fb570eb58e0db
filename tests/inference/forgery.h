// Certificates of the small space, and a forger who changes them and makes sizes and checksums agree.
#pragma once

#include <functional>

#include "base/json_source.h"
#include "inference/certificate.h"
#include "inference/verification.h"
#include "samples.h"

namespace mmaprint::samples {

/// The small space searched on its unit: several hypotheses are left, all proved equal.
[[nodiscard]] const Identification& certified();
void write_sample_certificate(const std::string& directory, const Identification& result = certified(),
                              const Space& space = small_space());

/// Changes a file's text, then the manifest's sizes and checksums.
void forge(const std::string& directory, const std::string& file,
           const std::function<std::string(std::string)>& change);
/// The same for a file that is one JSON document, the manifest among them.
void forge_json(const std::string& directory, const std::string& file,
                const std::function<void(Json&)>& edit);
/// Adds a file and lists it.
void add_listed(const std::string& directory, const std::string& file, const std::string& text);

using Tamper = std::function<void(const std::string& directory)>;
/// Expects that the sample's certificate is invalid after `tamper`, and that a failure says `expected`.
void expect_found(const Tamper& tamper, const std::string& expected);
/// Expects that it is bad input after `tamper`, and that the line says `expected`.
void expect_refused(const Tamper& tamper, const std::string& expected);

/// What failed and what was not finished, a line each.
[[nodiscard]] std::string failures(const Verification& verification);

}  // namespace mmaprint::samples
