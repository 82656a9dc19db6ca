// The numbers: one answer of /api/v1/attend per text, layer and head.

/**
 * @typedef {object} Sheet a matrix or a strip (one row)
 * @property {string} name
 * @property {string} kind
 * @property {number} rows
 * @property {number} cols
 * @property {Float64Array} values
 * @property {string|null} reach
 */

/** @typedef {Map<string, Map<string, Sheet>>} Answer sheets by mechanism and name */

const KEEP = 12;
/** @type {Map<string, Answer>} */
const kept = new Map();

/**
 * load fetches the answer of a URL, or takes the one that is kept.
 * @param {string} url
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 */
export async function load(url, signal) {
  const known = kept.get(url);
  if (known) {
    kept.delete(url);
    kept.set(url, known);
    return known;
  }
  const response = await fetch(url, { signal, headers: { Accept: 'application/json' } });
  const body = await response.json().catch(() => null);
  if (!body || !Array.isArray(body.mechanisms)) throw new Error((body && body.detail) || `status ${response.status}`);
  const answer = read(body);
  kept.set(url, answer);
  if (kept.size > KEEP) kept.delete(kept.keys().next().value);
  return answer;
}

/** @returns {Answer} */
function read(body) {
  const answer = new Map();
  for (const mechanism of body.mechanisms) {
    const sheets = new Map();
    for (const layer of mechanism.layers || []) {
      for (const map of layer.maps) sheets.set(map.name, sheet(map));
    }
    answer.set(mechanism.id, sheets);
  }
  return answer;
}

/** sheet reads the last two axes, or the last one as a strip. */
function sheet(map) {
  const shape = map.shape.slice();
  const strip = shape.length < 2 || (shape.length === 2 && map.axes[0] === 'head');
  const cols = shape.at(-1) || 0;
  const rows = strip ? 1 : shape.at(-2);
  const values = new Float64Array(rows * cols);
  for (let i = 0; i < values.length; i++) {
    const v = map.values[i];
    values[i] = v === null ? NaN : v; // JSON has no NaN
  }
  return { name: map.name, kind: map.kind, rows, cols, values, reach: map.reach || null };
}
