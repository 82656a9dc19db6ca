// Expressions of the browser tests of the wall.

// counting records the requests of the page from now on.
const counting = () => {
  window.asked = [];
  const real = window.fetch;
  window.really = real;
  window.fetch = (url, ...more) => { window.asked.push(String(url)); return real(url, ...more); };
  return true;
};
