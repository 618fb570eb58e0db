#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/full_model.h"
#include "cli/npy.h"
#include "report/product_check_text.h"

namespace mmaprint {
namespace {

void require_shape(const std::string& file, const NpyMatrix& matrix, std::size_t rows, std::size_t columns) {
  if (matrix.rows != rows || matrix.columns != columns)
    throw BadInput(fmt::format("{}: shape: expected ({}, {}), found ({}, {})", file, rows, columns,
                               matrix.rows, matrix.columns));
}

/// The files' matrices; c is all +0 where there is no file of it.
struct Product {
  ProductShape shape;
  NpyMatrix a, b, c, d;

  Product(const std::vector<std::string>& files, const Signature& formats, const Deadline& deadline)
      : a(read_npy(files[0], formats.a, deadline)),
        b(read_npy(files[1], formats.b, deadline)),
        d(read_npy(files.back(), formats.d, deadline)) {
    shape = {a.rows, b.columns, a.columns};
    require_shape(files[1], b, a.columns, b.columns);
    require_shape(files.back(), d, shape.m, shape.n);
    if (files.size() == 4) {
      if (!formats.c) throw BadInput(files[2] + ": expected no C, as the unit has no c");
      c = read_npy(files[2], *formats.c, deadline);
      require_shape(files[2], c, shape.m, shape.n);
    } else if (formats.c) {
      c.patterns.resize(shape.m * shape.n);
    }
  }
};

}  // namespace

ExitCode run_check_gemm(const CheckCommand& command, Session& session) {
  const UnitModel model = full_model(command.model, session.deadline());
  if (command.formats || command.pad_zeros)
    throw BadInput(
        "--gemm: expected no --formats or --pad-zeros beside it, as matrices have the model's formats");
  session.progress().show("reading matrices");
  const Product product(command.gemm, model.formats, session.deadline());
  if (const auto why = not_a_matrix_product(model, product.shape.k))
    throw BadInput(command.model + ": multiplies no such matrices: " + *why);
  session.progress().show("multiplying");
  const ProductOperands operands{product.a.patterns, product.b.patterns, product.c.patterns};
  const ProductCheck result = check_product(MatrixProduct(model), product.shape, operands, product.d.patterns,
                                            session.options().threads, session.deadline());
  session.print([&](const Style& style) { return check_text(result, style); },
                [&] { return check_document(result); });
  return result.first ? ExitCode::no : ExitCode::yes;
}

}  // namespace mmaprint
