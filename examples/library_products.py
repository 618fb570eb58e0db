#!/usr/bin/env python3
"""Matrix products of libraries behind mmaprint's `exec:` protocol: NumPy, PyTorch on processors (oneDNN, MKL) and on
NVIDIA GPUs (cuBLAS, cuBLASLt), and cuBLAS itself.

    mmaprint identify "exec:examples/library_products.py --library numpy" --instruction numpy.fp32.m64n64k16
    mmaprint identify "exec:examples/library_products.py --library torch-cuda --dtypes e4m3 --shapes 128,128,512" --all

Each instruction is one library's product D = A*B of one type and one shape, since libraries choose their kernels by the
shape: `torch-cuda.fp16.fp32.m128n128k64` has FP16 factors and FP32 results. There is no c. A dot product is one element
of D, its row of A and its column of B; many stand on the diagonal, the rest is zeros. Where a library has other kernels for
the rim of D, the diagonal answers one input in two ways: --element asks one element alone. What a machine has not is not listed.
"""
import argparse
import ctypes
import itertools
import json
import sys

try:
    import numpy
except ImportError:
    sys.exit("library_products: NumPy is not installed")

# mmaprint's name of a format: its bits, and PyTorch's name; NumPy has those of its own name.
FORMATS = {"fp64": (64, "float64"), "fp32": (32, "float32"), "fp16": (16, "float16"), "bf16": (16, "bfloat16"),
           "e4m3": (8, "float8_e4m3fn"), "e5m2": (8, "float8_e5m2"), "int8": (8, "int8"), "int32": (32, "int32")}


def bits(format_name):
    return FORMATS[format_name][0]


class Numpy:
    """`A @ B`: the BLAS that NumPy was built with, and a loop of NumPy's own for FP16."""
    # name in the instruction: format of a, of b, of d, and settings
    PRODUCTS = {"fp64": ("fp64", "fp64", "fp64", {}), "fp32": ("fp32", "fp32", "fp32", {}),
                "fp16": ("fp16", "fp16", "fp16", {})}

    def multiply(self, product, shape, places, a, b):
        """Elements `places` of the product whose rows a and columns b stand there, as words."""
        m, n, k = shape
        kind = FORMATS[product[0]][1]
        left, right = numpy.zeros((m, k), kind), numpy.zeros((k, n), kind)
        rows, columns = places
        left[rows], right[:, columns] = a.view(kind), b.view(kind).T
        with numpy.errstate(all="ignore"):
            return (left @ right)[rows, columns].view("u%d" % (bits(product[2]) // 8))


class Torch:
    """torch.mm and its relatives. B is stored by rows, but for FP8, which exists by columns alone."""
    SAME = {name: (name, name, name, {}) for name in ("fp64", "fp32", "fp16", "bf16")}
    device = None
    by_columns = False

    def __init__(self):
        try:
            import torch
        except ImportError:
            raise RuntimeError("PyTorch is not installed") from None
        if self.device == "cuda" and not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no GPU")
        self.torch = torch

    def matrix(self, size, k, format_name, places, words):
        """`size` rows of k numbers, those at `places` given, the others zeros."""
        torch = self.torch
        signed = torch.from_numpy(words.view("i%d" % (bits(format_name) // 8)))
        matrix = torch.zeros((size, k), dtype=signed.dtype, device=self.device)
        matrix[torch.from_numpy(places).to(self.device)] = signed.to(self.device)
        return matrix.view(getattr(torch, FORMATS[format_name][1]))

    def multiply(self, product, shape, places, a, b):
        torch, (m, n, k) = self.torch, shape
        rows, columns = places
        left = self.matrix(m, k, product[0], rows, a)
        right = self.matrix(n, k, product[1], columns, b).t()
        if not self.by_columns and bits(product[0]) != 8:
            right = right.contiguous()
        elements = self.product(product, left, right)[torch.from_numpy(rows), torch.from_numpy(columns)]
        word = getattr(torch, "int%d" % bits(product[2]))
        return elements.contiguous().view(word).cpu().numpy().view("u%d" % (bits(product[2]) // 8))

    def product(self, product, left, right):
        return self.torch.mm(left, right)


class TorchCpu(Torch):
    PRODUCTS = Torch.SAME | {"int8.int32": ("int8", "int8", "int32", {})}
    device = "cpu"

    def product(self, product, left, right):
        return (self.torch._int_mm if product[0] == "int8" else self.torch.mm)(left, right)


class TorchCuda(Torch):
    FP8 = {"%s.%s%s" % (a if a == b else a + "-" + b, d, ".fast" if fast else ""): (a, b, d, {"fast": fast})
           for a, b in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3")) for d in ("bf16", "fp16", "fp32")
           for fast in (False, True)}
    PRODUCTS = Torch.SAME | {
        "fp16.reduced": ("fp16", "fp16", "fp16", {"reduced": True}),
        "bf16.reduced": ("bf16", "bf16", "bf16", {"reduced": True}),
        "fp16.fp32": ("fp16", "fp16", "fp32", {}), "bf16.fp32": ("bf16", "bf16", "fp32", {}),
        "tf32": ("fp32", "fp32", "fp32", {"tf32": True}),       # FP32 numbers, multiplied as TF32
        "int8.int32": ("int8", "int8", "int32", {})} | FP8
    device = "cuda"

    def product(self, product, left, right):
        torch, (a, _, d, settings) = self.torch, product
        result = getattr(torch, FORMATS[d][1])
        cuda = torch.backends.cuda.matmul
        cuda.allow_tf32 = "tf32" in settings
        cuda.allow_fp16_reduced_precision_reduction = cuda.allow_bf16_reduced_precision_reduction = "reduced" in settings
        if "fast" in settings:
            one = torch.ones((), device=self.device)
            return torch._scaled_mm(left, right, one, one, out_dtype=result, use_fast_accum=settings["fast"])
        if a == "int8":
            return torch._int_mm(left, right)
        return torch.mm(left, right) if a == d else torch.mm(left, right, out_dtype=result)


class Cublas(Torch):
    """cublasGemmEx itself, which takes the type to compute in; A and B are stored with k running fastest."""
    TYPES = {"fp32": 0, "fp64": 1, "fp16": 2, "int8": 3, "int32": 10, "bf16": 14}                     # cudaDataType_t
    COMPUTE = {"16f": (64, ctypes.c_uint16, 0x3C00), "32f": (68, ctypes.c_float, 1), "32f-pedantic": (69, ctypes.c_float, 1),
               "64f": (70, ctypes.c_double, 1), "32i": (72, ctypes.c_int32, 1), "32f-fast-16f": (74, ctypes.c_float, 1),
               "32f-fast-16bf": (75, ctypes.c_float, 1), "32f-fast-tf32": (77, ctypes.c_float, 1),
               "32f-emulated-16bfx9": (78, ctypes.c_float, 1)}      # cublasComputeType_t, type of alpha and beta, its 1
    PRODUCTS = {"%s%s.%s" % (a, "" if a == d else "." + d, how): (a, a, d, {"compute": how}) for a, d, how in [
        ("fp16", "fp16", "16f"), ("fp16", "fp16", "32f"), ("fp16", "fp32", "32f"), ("fp16", "fp32", "32f-pedantic"),
        ("bf16", "bf16", "32f"), ("bf16", "fp32", "32f"), ("fp32", "fp32", "32f"), ("fp32", "fp32", "32f-pedantic"),
        ("fp32", "fp32", "32f-fast-tf32"), ("fp32", "fp32", "32f-fast-16f"), ("fp32", "fp32", "32f-fast-16bf"),
        ("fp32", "fp32", "32f-emulated-16bfx9"), ("fp64", "fp64", "64f"), ("int8", "int32", "32i"), ("int8", "fp32", "32f")]}
    device = "cuda"
    by_columns = True

    def __init__(self):
        super().__init__()
        self.torch.mm(*(self.torch.ones((1, 1), device="cuda"),) * 2)          # PyTorch loads its cuBLAS
        try:
            self.cublas = ctypes.CDLL("libcublas.so.%s" % self.torch.version.cuda.split(".")[0])
        except OSError as error:
            raise RuntimeError(str(error)) from None
        self.handle = ctypes.c_void_p()
        self.check(self.cublas.cublasCreate_v2(ctypes.byref(self.handle)))

    @staticmethod
    def check(status):
        if status:
            raise RuntimeError("cuBLAS answers status %d" % status)

    def product(self, product, left, right):
        """By columns, as cuBLAS stores matrices, D' (n by m) = B' A'."""
        a, _, d, settings = product
        (m, k), n = left.shape, right.shape[1]
        compute, number, one = self.COMPUTE[settings["compute"]]
        result = self.torch.zeros((m, n), dtype=getattr(self.torch, FORMATS[d][1]), device="cuda")
        alpha, beta = number(one), number(0)
        pointers = [ctypes.c_void_p(x.data_ptr()) for x in (right, left, result)]
        self.torch.cuda.synchronize()
        self.check(self.cublas.cublasGemmEx(
            self.handle, 1, 0, n, m, k, ctypes.byref(alpha), pointers[0], self.TYPES[a], k, pointers[1], self.TYPES[a], k,
            ctypes.byref(beta), pointers[2], self.TYPES[d], n, compute, -1))   # transposed, not; the heuristic's choice
        self.torch.cuda.synchronize()
        return result


LIBRARIES = {"numpy": Numpy, "torch-cpu": TorchCpu, "torch-cuda": TorchCuda, "cublas": Cublas}


class Instruction:
    def __init__(self, library, product, shape, element):
        self.library, self.product, self.shape, self.element = library, product, shape, element

    def describe(self, name):
        a, b, d, _ = self.product
        return {"name": name, "k": self.shape[2], "a": a, "b": b, "c": None, "d": d}

    def run(self, a, b):
        """Results of the dot products of rows a and columns b, all given and returned as hexadecimal patterns."""
        m, n, _ = self.shape
        at_once = 1 if self.element else min(m, n)
        left, right = words(a, self.product[0]), words(b, self.product[1])
        return [d for start in range(0, len(a), at_once)
                for d in self.multiply(left[start:start + at_once], right[start:start + at_once])]

    def multiply(self, left, right):
        """One product matrix: the dot products stand on its diagonal, or one of them at the element asked for."""
        diagonal = numpy.arange(len(left))
        places = [numpy.array([i]) for i in self.element] if self.element else (diagonal, diagonal)
        elements = self.library.multiply(self.product, self.shape, places, left, right)
        digits = bits(self.product[2]) // 4
        text = elements.astype(elements.dtype.newbyteorder(">")).tobytes().hex()
        return [text[i:i + digits] for i in range(0, len(text), digits)]


def words(vectors, format_name):
    size = bits(format_name) // 8
    patterns = bytes.fromhex("".join(itertools.chain.from_iterable(vectors)))
    return numpy.frombuffer(patterns, ">u%d" % size).astype("u%d" % size).reshape(len(vectors), -1)


def reason_against(instruction):
    """Why this machine has it not; None if it has."""
    zeros = [["0" * (bits(f) // 4)] * instruction.shape[2] for f in instruction.product[:2]]
    try:
        instruction.run(zeros[:1], zeros[1:])
        return None
    except Exception as error:                    # libraries refuse in many ways
        return (str(error).split("\n")[0] or type(error).__name__)


def find(options):
    """The instructions that were asked for, by name; SystemExit where something asked for by its name is not there."""
    found, missing = {}, {}
    for library_name in options.library or LIBRARIES:
        try:
            library = LIBRARIES[library_name]()
        except RuntimeError as error:
            if options.library:
                sys.exit("library_products: %s: %s" % (library_name, error))
            continue
        for name, product in library.PRODUCTS.items():
            asked = [d for d in options.dtypes if name == d or name.startswith(d + ".")]
            for shape in options.shapes if asked or not options.dtypes else []:
                instruction = Instruction(library, product, shape, options.element)
                why = reason_against(instruction)
                if why is None:
                    at = ".row%dcolumn%d" % options.element if options.element else ""
                    found["%s.%s.m%dn%dk%d%s" % (library_name, name, *shape, at)] = instruction
                for d in asked:
                    missing.setdefault(d, []).append(why and "%s, %s: %s" % (name, "x".join(map(str, shape)), why))
    for d in options.dtypes:
        if all(missing.get(d, ["no library has it"])):
            sys.exit("library_products: %s" % missing.get(d, [d + ": no library has it"])[0])
    return found


def numbers(count):
    def parse(text):
        values = tuple(int(x) for x in text.split(","))
        if len(values) != count or min(values) < 0:
            raise ValueError
        return values
    parse.__name__ = "list of %d numbers" % count
    return parse


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], epilog="products: " + "; ".join(
        "%s: %s" % (name, " ".join(library.PRODUCTS)) for name, library in LIBRARIES.items()))
    parser.add_argument("--library", nargs="+", choices=LIBRARIES, help="all that the machine has")
    parser.add_argument("--shapes", nargs="+", type=numbers(3), metavar="M,N,K", default=[(64, 64, k) for k in (8, 16, 32, 64)])
    parser.add_argument("--dtypes", nargs="+", default=[], metavar="PRODUCT",
                        help="all that the libraries have; fp16 stands for fp16 and fp16.fp32, fp16.reduced, ...")
    parser.add_argument("--element", type=numbers(2), metavar="ROW,COLUMN",
                        help="one dot product a product matrix, there, and not many on its diagonal")
    options = parser.parse_args()
    if options.element and any(options.element[i] >= shape[i] for shape in options.shapes for i in (0, 1)):
        parser.error("--element lies outside a shape")
    if any(0 in shape for shape in options.shapes):
        parser.error("a shape has no elements")
    return options


def answer(request, instructions):
    if request["op"] == "describe":
        return {"name": "products of libraries", "instructions": [i.describe(name) for name, i in instructions.items()]}
    if request["op"] == "run" and request["instruction"] in instructions:
        return {"d": instructions[request["instruction"]].run(request["a"], request["b"])}
    return {"error": "unknown request"}


def main():
    instructions = find(parse_options())
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), instructions)), flush=True)


if __name__ == "__main__":
    main()
