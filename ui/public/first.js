// What does not wait for the code of the pages: the theme, so that the first paint has it, and the first questions, so that the service answers them
// while that code is read. A script of its own, because the content policy allows no inline script.
(function () {
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      // Storage may be refused.
      return null;
    }
  };

  // The choice is kept by src/shared/theme.ts; without one it is the system's.
  const choice = kept('quarterdeck.theme');
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  // What is asked is known to src/api/early.ts, which hands the answers out. The page for signing in spends a code itself, and an instance elsewhere
  // is asked through this one.
  const { pathname, search, hash } = location;
  if (pathname === '/sign-in' || pathname.startsWith('/i/')) return;
  const code = new URLSearchParams(hash.slice(1)).get('code');
  // At once, so that the code stays in no history entry and is spent only once.
  if (code) history.replaceState(history.state, '', pathname + search);
  const asks = [code ? { path: '/api/auth/link', body: { code } } : { path: '/api/auth/session' }];
  asks.push({ path: '/api/about' }, { path: '/api/instances' });
  if (window.__QUARTERDECK_HOST__ === 'desktop') {
    asks.push({ path: '/api/host' });
    try {
      // Kept by src/app/ask.ts.
      const questions = JSON.parse(kept('quarterdeck.first') ?? '{}')[pathname] ?? [];
      asks.push(...questions.map((body) => ({ path: '/api/graphql', body })));
    } catch {
      // What is no list of questions was not kept by this version.
    }
  }
  const began = performance.now();
  const answer = fetch('/api/opening', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ asks }),
  });
  const latency = answer.then(() => performance.now() - began);
  window.__QUARTERDECK_OPENING__ = { asks, answer, latency };
})();
