// Recomputes every step of a trace from the operands that the page prints.

import { t } from '../js/messages.js';

const sum = (list) => list.reduce((all, v) => all + v, 0);

// erf is accurate to 1.2e-7 (Abramowitz and Stegun 7.1.26: 1.5e-7). Its series converges for usual activations.
function erf(x) {
  if (Math.abs(x) > 5) return Math.sign(x);
  let term = x, all = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(all) && n < 200; n++) {
    term *= -x * x / n;
    all += term / (2 * n + 1);
  }
  return all * 2 / Math.sqrt(Math.PI);
}

const functions = {
  relu: (x) => Math.max(x, 0),
  gelu: (x) => x / 2 * (1 + erf(x / Math.SQRT2)),
  'gelu-tanh': (x) => x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  'quick-gelu': (x) => x / (1 + Math.exp(-1.702 * x)),
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  'one-less-sigm': (x) => 1 / (1 + Math.exp(x)),
  elu1: (x) => (x > 0 ? x + 1 : Math.exp(x)),
};

function normed({ x, plus, own, eps }, operation) {
  const mean = operation === 'rms-norm' ? 0 : sum(x) / x.length, squares = sum(x.map((v) => (v - mean) ** 2));
  const by =
    operation === 'deviation' ? Math.sqrt(squares / (x.length - 1)) + eps : Math.sqrt(squares / x.length + eps);
  const [gain, shift] = plus.length === 2 ? plus : [1, 0];
  return (x[own] - mean) / by * gain + shift;
}

const operations = {
  'sum': ({ x, y, plus, scale, constant }) =>
    scale * sum(x.map((v, k) => (y.length ? v * y[k] : v))) + sum(plus) + constant,
  'softmax': ({ x, own, eps }) => {
    const top = Math.max(...x);
    return Math.exp(x[own] - top) / (sum(x.map((v) => Math.exp(v - top))) + eps * Math.exp(-top));
  },
  'layer-norm': (o) => normed(o, 'layer-norm'),
  'deviation': (o) => normed(o, 'deviation'),
  'rms-norm': (o) => normed(o, 'rms-norm'),
  'length': ({ x }) => Math.sqrt(sum(x.map((v) => v * v))),
  'quotient': ({ x, y, eps }) => x[0] / (y[0] + eps),
  'function': ({ x, name }) => functions[name](x[0]),
};

/** recompute recomputes the steps of the page, and shows the deviation of each. */
function recompute() {
  const again = document.getElementById('computed-again');
  if (again) again.hidden = false;
  for (const step of document.querySelectorAll('.explain-step')) {
    const compute = operations[step.dataset.operation];
    if (!compute) continue;
    const numbers = (role) =>
      [...step.querySelectorAll(`[data-role=${role}]`)].flatMap((strip) =>
        strip.dataset.numbers.split(' ').map(Number),
      );
    const { value, own, scale, constant, eps, size } = Object.fromEntries(
      Object.entries(step.dataset).map(([key, text]) => [key, Number(text)]),
    );
    const got = compute({
      x: numbers('x'),
      y: numbers('y'),
      plus: numbers('plus'),
      own,
      scale,
      constant,
      eps,
      name: step.dataset.function,
    });
    const off = Math.abs(got - value), line = step.querySelector('.recomputed');
    const good = off <= 2e-6 * Math.max(size, Number.MIN_VALUE) + 1e-37;
    step.dataset.right = String(good);
    line.textContent = t('script.recomputed', {
      value: String(Math.fround(got)).replaceAll('-', '−'),
      difference: off.toExponential(1).replaceAll('-', '−'),
      mark: good ? '✓' : '✗',
    });
    line.hidden = false;
  }
}

recompute();
