#!/usr/bin/env bash
# States: resvg_py leaves out the text of a picture, without an error or a warning, where it has no
#   font of that family: none at all, one of another name, a font file that is not there. A font in
#   `font_files` serves a generic family (`sans-serif`) only if `sans_serif_family` names it too.
# Seen with: resvg_py 0.5.0, reportlab 4.4.4 (for its font), CPython 3.11.7, 2026-11-28.
# Matters: pictures made in a container without fonts, or whose SVG says `sans-serif`: the PNG has
#   bars and no numbers. Give the font file, and its family as the generic ones.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

install resvg-py==0.5.0 reportlab==4.4.4
cat >"$work/text.py" <<'END'
from pathlib import Path

import reportlab
import resvg_py

font = str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
space = "http:" "//www.w3.org/2000/svg"  # the name of SVG's elements; nothing is fetched
box = f'<svg xmlns="{space}" width="60" height="20">{{}}</svg>'
text = '<text x="2" y="15" font-family="{}">EV 21</text>'
empty = bytes(resvg_py.svg_to_bytes(svg_string=box.format("")))


def draw(family, **fonts):
    svg = box.format(text.format(family))
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, **fonts))
    return "nothing" if png == empty else "text"


print("no font:", draw("sans-serif"))
print("a font file that is not there:", draw("sans-serif", font_files=["/nowhere/a.ttf"]))
print("a font, by its family:", draw("Bitstream Vera Sans", font_files=[font]))
print("a font, by another family:", draw("Another", font_files=[font]))
print("a font, by the generic family:", draw("sans-serif", font_files=[font]))
named = draw("sans-serif", font_files=[font], sans_serif_family="Bitstream Vera Sans")
print("the same, named as generic:", named)
END
expect run text.py <<'END'
no font: nothing
a font file that is not there: nothing
a font, by its family: text
a font, by another family: nothing
a font, by the generic family: nothing
the same, named as generic: text
END
