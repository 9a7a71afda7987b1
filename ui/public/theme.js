// The theme, so that the first paint has it. A script of its own, because the content policy allows no inline script.
(function () {
  let choice = null;
  try {
    // The choice is kept by src/shared/theme.ts; without one it is the system's.
    choice = localStorage.getItem('quarterdeck.theme');
  } catch {
    // Storage may be refused.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
