// Writes tables_gen.go: npm install d3-scale-chromatic@3.1.1 && node tables_gen.mjs > tables_gen.go
import * as c from "d3-scale-chromatic";
import { interpolateRgbBasis } from "d3-interpolate";
import { rgb } from "d3-color";
const ramp = (...stops) => interpolateRgbBasis(stops);
const tables = {
  cividis: c.interpolateCividis, viridis: c.interpolateViridis, magma: c.interpolateMagma,
  greys: c.interpolateGreys,
  ink: ramp("#ffffff", "#deebf7", "#9ecae1", "#4292c6", "#08519c", "#08203f"),
  diverging: t => c.interpolateRdBu(1 - t),
  greysDark: ramp("#14171c", "#4a4e55", "#85898f", "#c0c3c7", "#ffffff"),
  inkDark: ramp("#14171c", "#123a66", "#1f6cb0", "#66b1e6", "#d9efff"),
  divergingDark: ramp("#b9dcf2", "#5aa9d8", "#2a6a9c", "#3a3d42", "#a8483a", "#ea8a63", "#fbd9c0"),
};
const cat = ["#0072b2","#e69f00","#009e73","#cc79a7","#56b4e9","#d55e00","#f0e442","#6b6b6b"];
tables.category = t => cat[Math.min(7, Math.floor(t * 256 / 32))];
let out = `// Code generated from npm d3-scale-chromatic@3.1.1; DO NOT EDIT.
//
// Entry i of a table is the interpolator at i/255, as three bytes.
// cividis, viridis, magma, greys: interpolateCividis, …Viridis, …Magma, …Greys.
// diverging: interpolateRdBu at 1-i/255. The others are d3-interpolate's
// interpolateRgbBasis through these stops:
//   ink           #ffffff #deebf7 #9ecae1 #4292c6 #08519c #08203f
//   greysDark     #14171c #4a4e55 #85898f #c0c3c7 #ffffff
//   inkDark       #14171c #123a66 #1f6cb0 #66b1e6 #d9efff
//   divergingDark #b9dcf2 #5aa9d8 #2a6a9c #3a3d42 #a8483a #ea8a63 #fbd9c0
// category repeats each of eight hues (Okabe and Ito's, black made grey) 32 times.

package figure
`;
for (const [name, f] of Object.entries(tables)) {
  out += `\nvar ${name}Table = Table{\n`;
  for (let r = 0; r < 32; r++) {
    const row = [];
    for (let k = 0; k < 8; k++) {
      const p = rgb(f((r * 8 + k) / 255)).rgb();
      const b = x => Math.max(0, Math.min(255, Math.round(x)));
      row.push(`{${b(p.r)}, ${b(p.g)}, ${b(p.b)}}`);
    }
    out += "\t" + row.join(", ") + ",\n";
  }
  out += "}\n";
}
process.stdout.write(out);
