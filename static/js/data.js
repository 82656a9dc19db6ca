// The numbers: one answer of /api/v1/attend per text, layer and head.

/**
 * @typedef {object} Sheet a matrix or a strip (one row)
 * @property {string} name
 * @property {string} kind
 * @property {number} rows
 * @property {number} cols
 * @property {Float64Array} values of the first plane
 * @property {Float64Array} all of all planes: a map of three axes is a stack of sheets
 * @property {string|null} reach
 */

/** @typedef {Map<string, Map<string, Sheet>> & {labels?: string[]}} Answer sheets by mechanism and name */

const KEEP = 32;
/** @type {Map<string, Answer>} */
const kept = new Map();

/**
 * load fetches the answer of a URL, or takes the one that is kept.
 * @param {string} url
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 */
export async function load(url, signal) {
  const before = kept.get(url);
  if (before) {
    kept.delete(url);
    kept.set(url, before);
    return before;
  }
  const response = await fetch(url, { signal, headers: { Accept: 'application/json' } });
  const body = await response.json().catch(() => null);
  if (!body || !Array.isArray(body.mechanisms)) throw new Error((body && body.detail) || `status ${response.status}`);
  const answer = read(body);
  kept.set(url, answer);
  if (kept.size > KEEP) kept.delete(kept.keys().next().value);
  return answer;
}

/** labelsOf are the tokens' labels. */
export function labelsOf(answer) {
  return answer.labels || [];
}

/** known says whether an answer is kept. */
export function known(url) {
  return kept.has(url);
}

/** @returns {Answer} */
function read(body) {
  const answer = new Map();
  answer.labels = (body.tokens || []).map((t) => t.label);
  for (const mechanism of body.mechanisms) {
    const sheets = new Map();
    for (const layer of mechanism.layers || []) {
      for (const map of layer.maps) sheets.set(map.name, sheet(map));
    }
    for (const map of mechanism.maps || []) sheets.set(map.name, sheet(map)); // of a stack itself
    answer.set(mechanism.id, sheets);
  }
  return answer;
}

/** sheet reads a map: the last two axes, or the last one as a strip. */
export function sheet(map) {
  const shape = map.shape.slice();
  const strip = shape.length < 2 || (shape.length === 2 && map.axes[0] === 'head');
  const cols = shape.at(-1) || 0;
  const rows = strip ? 1 : shape.at(-2);
  const all = Float64Array.from(map.values, (v) => (v === null ? NaN : v)); // JSON has no NaN
  return { name: map.name, kind: map.kind, rows, cols, values: all.subarray(0, rows * cols), all, reach: map.reach || null };
}
