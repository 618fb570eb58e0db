#!/usr/bin/env python3
"""What Bitwuzla (the module of that name, from PyPI) says of an SMT-LIB file: sat, unsat or unknown.

usage: bitwuzla_verdict.py FILE SECONDS
"""
import sys

import bitwuzla


def main():
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, 1000 * int(sys.argv[2]))
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(sys.argv[1], True)
    print(str(parser.bitwuzla().check_sat()).split(".")[-1].lower())


if __name__ == "__main__":
    main()
