"""The stub is written by hand; nanobind's own says nothing of arrays and callables."""

import ast
import pathlib
import re

from mmaprint import _native

STUB = ast.parse(pathlib.Path(_native.__file__).with_name("_native.pyi").read_text())


def members(body):
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def public(names):
    return {name for name in names if not name.startswith("_")}


def arguments_of(function):
    """As nanobind knows them: `def name(one: type, other: type = default) -> type`."""
    signature = re.sub(r"\[[^\[\]]*\]", "", function.__nb_signature__[0][0])
    while "[" in signature:
        signature = re.sub(r"\[[^\[\]]*\]", "", signature)
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    return [part.split(":")[0].strip() for part in inside.split(",") if part.strip()]


def test_the_stub_names_what_the_module_has():
    assert members(STUB.body).keys() == public(dir(_native))
    for name, node in members(STUB.body).items():
        if isinstance(node, ast.ClassDef) and not name.endswith("Error"):
            assert public(members(node.body)) == public(vars(getattr(_native, name))), name


def test_the_stub_has_the_arguments_of_the_module():
    functions = [n for n in STUB.body if isinstance(n, ast.FunctionDef)]
    assert len(functions) > 5
    for node in functions:
        assert [a.arg for a in node.args.args] == arguments_of(getattr(_native, node.name)), node.name
