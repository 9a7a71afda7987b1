// Sets the theme before the first paint. A script of its own, because the content policy allows no inline script.
// The choice itself is kept by src/shared/theme.ts under the same name.
(function () {
  let choice = null;
  try {
    choice = localStorage.getItem('quarterdeck.theme');
  } catch {
    // Storage may be refused; the system's choice is used then.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
