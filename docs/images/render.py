#!/usr/bin/env python3
"""Draws what a terminal would show as an SVG: ANSI text on standard input, picture on standard output.

    mmaprint --color always distinguish ... | docs/images/render.py 'mmaprint distinguish ...' >picture.svg
"""
import html
import re
import sys

SIZE, WIDTH, HEIGHT, MARGIN = 13, 7.83, 18, 16
COLOURS = {"": "#d6dbe5", "1": "#ffffff", "2": "#7d8799", "1;32": "#7fd88f", "1;31": "#ff8389", "33": "#f2c572"}


def spans(line):
    """(tone, text) pairs of a line."""
    tone = ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            tone = "" if code[1] == "0" else code[1]
        elif part:
            yield tone, part


def text_line(number, line):
    """Every run at its own column, so that a font of another width can't shift what stands below each other."""
    y = MARGIN + (number + 1) * HEIGHT
    column, out = 0, []
    for tone, text in spans(line):
        for run in re.finditer(r"\S+(?: \S+)*", text):
            x = MARGIN + (column + run.start()) * WIDTH
            weight = ' font-weight="600"' if tone.startswith("1") else ""
            length = len(run[0]) * WIDTH
            out.append(f'<text x="{x:.1f}" y="{y}" fill="{COLOURS[tone]}"{weight} textLength="{length:.1f}" '
                       f'lengthAdjust="spacingAndGlyphs">{html.escape(run[0])}</text>')
        column += len(text)
    return column, "".join(out)


command = "\x1b[2m$\x1b[0m \x1b[1m" + sys.argv[1] + "\x1b[0m"
lines = [text_line(i, line) for i, line in enumerate([command, ""] + sys.stdin.read().rstrip("\n").split("\n"))]
width = 2 * MARGIN + max(columns for columns, _ in lines) * WIDTH
height = 2 * MARGIN + len(lines) * HEIGHT
print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" '
      f'font-family="\'DejaVu Sans Mono\', Menlo, Consolas, ui-monospace, monospace" font-size="{SIZE}" '
      'xml:space="preserve">')
print(f'<rect width="100%" height="100%" rx="8" fill="#1b1f2a"/>')
print("\n".join(text for _, text in lines if text))
print("</svg>")
