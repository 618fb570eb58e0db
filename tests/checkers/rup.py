#!/usr/bin/env python3
"""Does a proof refute a formula? Checked by unit propagation, with nothing of the program's.

usage: rup.py FORMULA PROOF        DIMACS CNF and binary DRAT, packed by gzip or not

Prints "verified" and exits 0, or says why not and exits 1. It reads the proof forward: each clause that is
added has to lead to a conflict when it is assumed to be false (reverse unit propagation). Deletions are taken
as they stand, but for those of clauses that made a literal true, as other checkers of DRAT do.
"""
import gzip
import sys


class Refused(Exception):
    """Why the proof is none."""


def content(path):
    with open(path, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def read_formula(data):
    clauses, clause, stated = [], [], None
    for line in data.decode("ascii").splitlines():
        if line.startswith("c"):
            continue
        if line.startswith("p"):
            stated = int(line.split()[3])
            continue
        for word in line.split():
            if word == "0":
                clauses.append(clause)
                clause = []
            else:
                clause.append(int(word))
    if clause or len(clauses) != stated:
        raise Refused("the formula is none")
    return clauses


def read_proof(data):
    """Pairs: adds?, clause."""
    at = 0
    while at < len(data):
        kind = data[at]
        if kind not in b"ad":
            raise Refused("the proof is no binary DRAT")
        at += 1
        clause = []
        while True:
            code = shift = 0
            while True:
                if at == len(data):
                    raise Refused("the proof is cut off")
                byte = data[at]
                at += 1
                code |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            if code == 0:
                break
            clause.append(-(code >> 1) if code & 1 else code >> 1)
        yield kind == ord("a"), clause


class Clauses:
    """Clauses, what they make true, and which of them watch which literals."""

    def __init__(self):
        self.true = set()
        self.trail = []
        self.why = {}  # a literal that is true for good: the clause that says so
        self.watching = {}
        self.known = {}  # by the set of its literals
        self.refuted = False

    def add(self, literals):
        clause = sorted(set(literals), key=lambda x: -x in self.true)  # false ones last
        self.known.setdefault(frozenset(clause), []).append(clause)
        for x in clause[:2]:
            self.watching.setdefault(x, []).append(clause)
        if not clause or -clause[0] in self.true:
            self.refuted = True
        elif (len(clause) == 1 or -clause[1] in self.true) and clause[0] not in self.true:
            begin = len(self.trail)
            self.assign(clause[0], clause)
            self.refuted = not self.propagate(begin)

    def delete(self, literals):
        same = self.known.get(frozenset(literals))
        if not same:
            return
        clause = same[-1]
        if any(self.why.get(x) is clause for x in clause):
            return
        same.pop()
        for x in clause[:2]:
            self.watching[x] = [other for other in self.watching[x] if other is not clause]

    def follows(self, literals):
        begin = len(self.trail)
        conflict = False
        for x in literals:
            if x in self.true:
                conflict = True
                break
            if -x not in self.true:
                self.assign(-x, None)
        conflict = conflict or not self.propagate(begin)
        for x in self.trail[begin:]:
            self.true.discard(x)
            self.why.pop(x, None)
        del self.trail[begin:]
        return conflict

    def assign(self, x, why):
        self.true.add(x)
        self.trail.append(x)
        self.why[x] = why

    def propagate(self, at):
        """False at a conflict."""
        while at < len(self.trail):
            lost = -self.trail[at]
            at += 1
            watching = self.watching.get(lost, [])
            kept = []
            for place, clause in enumerate(watching):
                if clause[0] == lost:
                    clause[0], clause[1] = clause[1], clause[0]
                if clause[0] in self.true:
                    kept.append(clause)
                    continue
                for i in range(2, len(clause)):
                    if -clause[i] not in self.true:
                        clause[1], clause[i] = clause[i], clause[1]
                        self.watching.setdefault(clause[1], []).append(clause)
                        break
                else:
                    kept.append(clause)
                    if -clause[0] in self.true:
                        self.watching[lost] = kept + watching[place + 1:]
                        return False
                    self.assign(clause[0], clause)
            self.watching[lost] = kept
        return True


def verify(formula, proof):
    clauses = Clauses()
    for clause in formula:
        clauses.add(clause)
        if clauses.refuted:
            return
    for step, (adds, clause) in enumerate(proof, 1):
        if not adds:
            clauses.delete(clause)
            continue
        if not clauses.follows(clause):
            raise Refused(f"step {step} does not follow by unit propagation")
        clauses.add(clause)
        if clauses.refuted:
            return
    raise Refused("the proof does not end in a conflict")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        verify(read_formula(content(sys.argv[1])), list(read_proof(content(sys.argv[2]))))
    except (Refused, OSError, EOFError, ValueError) as problem:
        print(f"refused: {problem}")
        sys.exit(1)
    print("verified")


if __name__ == "__main__":
    main()
