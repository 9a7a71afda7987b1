// What does not wait for the code of the pages. A script of its own, because the content policy allows no inline script.
//
// The theme, so that the first paint has it. The first questions, so that the service answers while that code is read. And, in the window, the page
// itself as it was drawn last, where the answers are the same to the letter, so that nothing in it could be drawn otherwise: it is on the screen while
// the code that makes it live begins.
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

  // The code of the pages, by its name; on its way already (vite.config.ts). Without a name the page has it itself: `npm run dev`.
  const { main } = document.currentScript.dataset;
  let hasBegun = false;
  const begin = () => {
    if (hasBegun || !main) return;
    hasBegun = true;
    const code = Object.assign(document.createElement('script'), { type: 'module', crossOrigin: '', src: main });
    // It looks for the body when it begins.
    if (document.body) document.head.append(code);
    else document.addEventListener('DOMContentLoaded', () => document.head.append(code));
  };

  const { pathname, search } = location;
  // The page for signing in spends a code itself, and an instance elsewhere is asked through this one.
  if (pathname === '/sign-in' || pathname.startsWith('/i/')) return begin();
  const isWindow = window.__QUARTERDECK_HOST__ === 'desktop';
  const opening = ask();
  const drawn = main && isWindow ? read('quarterdeck.drawn') : null;
  if (drawn === null || drawn.page !== pathname + search || !drawn.around?.includes(main)) return begin();
  // A question that takes long is waited for by the page, which says so.
  setTimeout(begin, 300);
  // Until the first answer this thread has nothing to do, and the first use of this takes long.
  setTimeout(() => new Intl.NumberFormat('en-US'));
  // One answer that is another is enough.
  const known = new Set(drawn.answers.split('\n'));
  opening.request.addEventListener('readystatechange', () => {
    const come = opening.request.responseText.split('\n').slice(0, -1);
    if (!come.every((line) => known.has(line))) begin();
  });
  opening.request.addEventListener('loadend', () => {
    const isTrue = drawn.around === opening.around() && drawn.answers === opening.answers() && day() <= drawn.until;
    if (hasBegun || !isTrue) return begin();
    show(drawn.html);
    requestAnimationFrame(() => setTimeout(begin));
    return undefined;
  });
  return undefined;

  /** Shows what src/app/drawn.ts kept. Nothing in it does anything yet, and the content policy lets no script in it run. */
  function show(html) {
    const root = document.getElementById('root');
    root.innerHTML = html;
    // That policy takes styles from scripts only.
    for (const part of root.querySelectorAll('[data-style]')) part.style.cssText = part.dataset.style;
    for (const part of root.querySelectorAll('[data-days-since]')) {
      const days = Math.floor((Date.now() - Date.parse(part.dataset.daysSince)) / 86_400_000);
      part.textContent = part.textContent.replace(/\d[\d,]*/, days.toLocaleString('en-US'));
    }
    root.inert = true;
    performance.mark('drawn');
  }

  /** What was kept under that name; null where it is nothing this version wrote. */
  function read(name) {
    try {
      return JSON.parse(kept(name));
    } catch {
      return null;
    }
  }

  /** Asks who this is and what the page asked last time (src/app/ask.ts); src/api/early.ts hands the answers out. */
  function ask() {
    const code = new URLSearchParams(location.hash.slice(1)).get('code');
    // At once, so that the code stays in no history entry and is spent only once.
    if (code) history.replaceState(history.state, '', pathname + search);
    const asks = [code ? { path: '/api/auth/link', body: { code } } : { path: '/api/auth/session' }];
    asks.push({ path: '/api/about' }, { path: '/api/instances' });
    if (isWindow) {
      asks.push({ path: '/api/host' }, { path: '/api/auth/saml/health' });
      const questions = read('quarterdeck.first')?.[pathname] ?? [];
      asks.push(...questions.map((body) => ({ path: '/api/graphql', body })));
    }
    const request = new XMLHttpRequest();
    const answers = () => request.responseText.split('\n').sort().join('\n');
    const asked = { asks, request, answers, around, again: ask };
    const began = performance.now();
    request.open('POST', '/api/opening');
    request.addEventListener('readystatechange', () => {
      asked.latency ??= performance.now() - began;
    });
    request.setRequestHeader('content-type', 'application/json');
    request.send(JSON.stringify({ asks }));
    window.__QUARTERDECK_OPENING__ = asked;
    return asked;
  }

  /** The day, UTC. */
  function day() {
    return new Date().toISOString().slice(0, 10);
  }

  /** What else a page is drawn by: the code, the year, which days name when it is another, the room there is, and all that was chosen in it. */
  function around() {
    const chosen = Object.entries(localStorage).filter(([name]) => !/^quarterdeck\.(first|drawn)$/.test(name));
    const room = [innerWidth, innerHeight, devicePixelRatio];
    return JSON.stringify([main, day().slice(0, 4), room, document.documentElement.dataset.theme, chosen.sort()]);
  }
})();
