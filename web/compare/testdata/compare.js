// Expressions of the browser tests of comparisons.

// busy returns the mark of a comparison that is computed.
const busy = () => document.getElementById('compared').getAttribute('aria-busy');
