// opened shows the numbers of the first map as a table and opens all folded content. On narrow windows folded content
// stays closed, because an open menu covers other content.
const opened = () => {
  document.querySelector('.as-table:not([hidden])')?.click();
  if (innerWidth > 1000) for (const folded of document.querySelectorAll('details')) folded.open = true;
  return true;
};
