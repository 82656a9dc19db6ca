"""Makes the .ttf files of this folder; see README.md.

Run in a folder where npm has installed the five @fontsource packages, with
fontTools and brotli from PyPI: python make.py
"""
import glob
import os
import tempfile
from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont

SHAPING = """ccmp liga rlig clig locl nukt akhn rphf rkrf pref blwf half abvf pstf cjct vatu
init pres abvs blws psts haln calt mark mkmk kern abvm blwm dist""".split()
UNUSED = "vhea vmtx VORG BASE STAT meta gasp DSIG fvar gvar avar HVAR MVAR".split()


def charset(codec, first, last, trails):
    found = set()
    for lead in range(first, last + 1):
        for trail in trails:
            try:
                found.add(ord(bytes([lead, trail]).decode(codec)))
            except (UnicodeDecodeError, TypeError):
                pass
    return found


EUC = range(0xA1, 0xFF)
CHINESE = (
    charset("gb2312", 0xB0, 0xF7, EUC)
    | charset("big5", 0xA4, 0xC6, [*range(0x40, 0x7F), *EUC])
    | charset("euc_jp", 0xB0, 0xCF, EUC)
    | {*range(0x2E80, 0x2FE0), *range(0x3000, 0x3100), *range(0x31F0, 0x3200), *range(0xFF00, 0xFFF0)}
)
KOREAN = charset("euc_kr", 0xB0, 0xC8, EUC) | set(range(0x3131, 0x318F))


def build(out, pattern, wanted=None, features=()):
    """Subsets every file of pattern to wanted (None: everything) and merges them."""
    parts, taken = [], set()
    with tempfile.TemporaryDirectory() as folder:
        for i, path in enumerate(sorted(glob.glob(f"node_modules/@fontsource/{pattern}"))):
            font = TTFont(path)
            have = set(font.getBestCmap())
            keep = (have if wanted is None else have & wanted) - taken
            taken |= keep
            if not keep:
                continue
            o = subset.Options(hinting=False, glyph_names=False, notdef_outline=True)
            o.layout_features, o.name_IDs = list(features), [0, 1, 2, 13, 14]
            o.drop_tables += UNUSED + ([] if features else ["GSUB", "GPOS", "GDEF"])
            s = subset.Subsetter(o)
            s.populate(unicodes=keep)
            s.subset(font)
            font.flavor = None
            parts.append(os.path.join(folder, f"{i}.ttf"))
            font.save(parts[-1])
        Merger().merge(parts).save(out)


build("noto-sans-sc.ttf", "noto-sans-sc/files/*-400-normal.woff2", CHINESE)
build("noto-sans-kr.ttf", "noto-sans-kr/files/*-400-normal.woff2", KOREAN)
build("noto-emoji.ttf", "noto-emoji/files/noto-emoji-emoji-400-normal.woff2", features=SHAPING)
build("noto-sans-devanagari.ttf", "noto-sans-devanagari/files/*-devanagari-400-normal.woff2", features=SHAPING)
build("noto-sans-thai.ttf", "noto-sans-thai/files/*-thai-400-normal.woff2", features=SHAPING)
