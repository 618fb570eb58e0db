#!/usr/bin/env python3
"""Matrix products of libraries behind mmaprint's `exec:` protocol: NumPy, PyTorch, and through it oneDNN and cuBLAS.

    mmaprint identify "exec:examples/library_products.py numpy" --all
    mmaprint identify "exec:examples/library_products.py torch-cuda --k 16,32 --shape 4096x4096" --all

Each instruction is one library's product of one type and one shape, which its name tells: libraries choose their kernels
by the shape. A dot product is one element of the product matrix, on its diagonal; there is no c. What is not installed is
not listed.
"""
import argparse
import json
import sys

# mmaprint's format: bits, and how NumPy and PyTorch call it.
FORMATS = {
    "fp64": (64, "float64", "float64"), "fp32": (32, "float32", "float32"), "fp16": (16, "float16", "float16"),
    "bf16": (16, None, "bfloat16"), "e4m3": (8, None, "float8_e4m3fn"), "e5m2": (8, None, "float8_e5m2"),
    "int8": (8, "int8", "int8"), "int32": (32, "int32", "int32"),
}


class Numpy:
    """`a @ b` by whatever BLAS NumPy was built with."""

    def __init__(self):
        import numpy
        self.np = numpy

    def products(self):
        return {"fp32": ("fp32", "fp32"), "fp64": ("fp64", "fp64"), "fp16": ("fp16", "fp16")}

    def multiply(self, product, a, b):
        kind = self.np.dtype(FORMATS[self.products()[product][0]][1])
        return self.np.ascontiguousarray(a.view(kind) @ b.view(kind))


class Torch:
    """torch.mm: oneDNN or MKL on processors, cuBLAS on GPUs."""

    def __init__(self, device):
        import torch
        self.torch, self.device = torch, device
        if device == "cuda" and not torch.cuda.is_available():
            raise RuntimeError("no GPU that PyTorch can use")

    def products(self):
        same = {name: (name, name) for name in ("fp64", "fp32", "fp16", "bf16")}
        if self.device != "cuda":
            return same
        return same | {"fp16-fp32": ("fp16", "fp32"), "bf16-fp32": ("bf16", "fp32"), "tf32": ("fp32", "fp32"),
                       "fp16-reduced": ("fp16", "fp16"), "int8": ("int8", "int32"), "e4m3": ("e4m3", "bf16"),
                       "e4m3-fast": ("e4m3", "bf16"), "e4m3-fp32": ("e4m3", "fp32"), "e4m3-fp32-fast": ("e4m3", "fp32")}

    def multiply(self, product, a, b):
        torch, cuda = self.torch, self.torch.backends.cuda.matmul
        factor, result = (getattr(torch, FORMATS[f][2]) for f in self.products()[product])
        cuda.allow_tf32 = product == "tf32"
        cuda.allow_fp16_reduced_precision_reduction = product == "fp16-reduced"
        cuda.allow_bf16_reduced_precision_reduction = False
        x = torch.from_numpy(a.copy()).view(factor).to(self.device)
        if product.startswith("e4m3"):           # b has to be stored by columns
            y = torch.from_numpy(b.T.copy()).view(factor).to(self.device).t()
            one = torch.ones((), device=self.device)
            d = torch._scaled_mm(x, y, one, one, out_dtype=result, use_fast_accum=product.endswith("fast"))
        else:
            y = torch.from_numpy(b.copy()).view(factor).to(self.device)
            if product == "int8":
                d = torch._int_mm(x, y)
            elif factor != result:
                d = torch.mm(x, y, out_dtype=result)
            else:
                d = torch.mm(x, y)
        return d.cpu().contiguous().view(getattr(torch, "int%d" % FORMATS[self.products()[product][1]][0])).numpy()


LIBRARIES = {"numpy": Numpy, "torch": lambda: Torch("cpu"), "torch-cuda": lambda: Torch("cuda")}


class Products:
    def __init__(self, options):
        import numpy
        self.np, self.options = numpy, options
        self.library = LIBRARIES[options.library]()
        self.m, self.n = (int(x) for x in options.shape.split("x"))
        self.named = {}
        for k in (int(k) for k in options.k.split(",")):
            for product, formats in self.library.products().items():
                if not options.products or product in options.products.split(","):
                    name = "%s.%s.m%dn%dk%d" % (options.library, product, self.m, self.n, k)
                    if self.works(product, formats, k):
                        self.named[name] = (product, formats, k)

    def works(self, product, formats, k):
        """Is there a kernel for it?"""
        zeros = ["0" * (FORMATS[formats[0]][0] // 4)] * k
        try:
            return len(self.run(product, formats, k, [zeros], [zeros])) == 1
        except Exception as error:               # libraries refuse in many ways
            if self.options.products:
                print("library_products: %s, K = %d: %s" % (product, k, str(error).split("\n")[0]), file=sys.stderr)
            return False

    def describe(self):
        return {"name": "products of " + self.options.library,
                "instructions": [{"name": name, "k": k, "a": f[0], "b": f[0], "c": None, "d": f[1]}
                                 for name, (_, f, k) in self.named.items()]}

    def run(self, product, formats, k, a, b):
        np, (factor, result) = self.np, formats
        bits, of_result = FORMATS[factor][0], FORMATS[result][0]
        word, at_once, all_d = np.dtype("uint%d" % bits), min(self.m, self.n), []
        for start in range(0, len(a), at_once):
            rows, columns = a[start:start + at_once], b[start:start + at_once]
            x, y = np.zeros((self.m, k), word), np.zeros((self.n, k), word)
            for i, (row, column) in enumerate(zip(rows, columns)):
                x[i], y[i] = [int(p, 16) for p in row], [int(p, 16) for p in column]
            signed = np.dtype("int%d" % bits)
            d = self.library.multiply(product, x.view(signed), np.ascontiguousarray(y.T).view(signed))
            diagonal = np.ascontiguousarray(d).view("uint%d" % of_result).diagonal()
            all_d += ["%0*x" % (of_result // 4, int(p)) for p in diagonal[:len(rows)]]
        return all_d

    def answer(self, request):
        if request["op"] == "describe":
            return self.describe()
        if request["op"] == "run" and request["instruction"] in self.named:
            return {"d": self.run(*self.named[request["instruction"]], request["a"], request["b"])}
        return {"error": "unknown request"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--k", default="8,16,32,64", help="numbers of products, up to 1024")
    parser.add_argument("--shape", default="64x64", help="MxN of the product matrix")
    parser.add_argument("--products", default="", help="some of what the library has: fp16,bf16-fp32,...")
    options = parser.parse_args()
    try:
        products = Products(options)
    except (ImportError, RuntimeError) as error:
        sys.exit("library_products: %s: %s" % (options.library, error))
    for line in sys.stdin:
        print(json.dumps(products.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
