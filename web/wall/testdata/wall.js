// What the tests of the wall ask.

// counting notes what the page fetches from now on.
const counting = () => {
  window.asked = [];
  const real = window.fetch;
  window.really = real;
  window.fetch = (url, ...more) => { window.asked.push(String(url)); return real(url, ...more); };
  return true;
};
