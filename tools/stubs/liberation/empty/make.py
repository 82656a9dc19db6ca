"""Makes empty.ttf, a font of one glyph without an outline: python make.py, with fontTools from PyPI."""
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib.tables._g_l_y_f import Glyph

font = FontBuilder(1000)
font.setupGlyphOrder([".notdef"])
font.setupCharacterMap({0xFFFD: ".notdef"})
font.setupGlyf({".notdef": Glyph()})
font.setupHorizontalMetrics({".notdef": (1000, 0)})
font.setupHorizontalHeader(ascent=800, descent=-200)
font.setupNameTable({"familyName": "Empty", "styleName": "Regular"})
font.setupOS2()
font.setupPost(keepGlyphNames=False)
font.font["head"].created = font.font["head"].modified = 0
font.font.recalcTimestamp = False
font.save("empty.ttf")
