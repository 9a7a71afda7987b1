// The pages in a Chromium without a screen, measured by its own trace: pages.mjs LINK
//
// LINK signs in (`quarterdeck-server serve` prints it). A switch is the time from the press on a place in the rail to the first frame drawn after
// the page stands: its heading, and nothing in it that still waits. Rolling counts the frames of the page's own process while a table of 100,000
// rows goes by, and, as what this machine can do, those of a long page of plain text. `window.rs` runs this.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../ui/package.json', import.meta.url));
const { chromium } = require('playwright-core');

const rounds = 5;
const rows = 100_000;
const places = [
  ['Costs', 'Explorer'],
  ['Recommendations', 'Recommendations'],
  ['Imports', 'Imports'],
  ['API explorer', 'API explorer'],
  ['Settings', null],
  ['Overview', 'Overview'],
];
const categories = ['benchmark', 'cc', 'blink.user_timing', 'disabled-by-default-devtools.timeline.frame'];

const program = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`).find(existsSync);
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
try {
  await page.goto(process.argv[2]);
  await settled();
  await switches();
  await rolls();
} finally {
  await browser.close();
}

/** Until nothing on the page waits any more. */
async function settled() {
  await page.waitForFunction(() => document.querySelector('main') && !document.querySelector('[aria-busy="true"], .skel'));
}

/** Runs `act` and answers the events of the trace, those of the process of `page`, by time. */
async function traced(page, act) {
  await browser.startTracing(page, { categories });
  await page.evaluate(() => performance.mark('begun'));
  await act();
  // The last frame is in the trace some time after it was drawn.
  await page.waitForTimeout(300);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const own = traceEvents.find(({ name }) => name === 'begun').pid;
  return traceEvents.filter(({ pid }) => pid === own).sort((a, b) => a.ts - b.ts);
}

async function switches() {
  await page.evaluate(() => {
    document.addEventListener('pointerdown', (event) => performance.mark('pressed', { startTime: event.timeStamp }), true);
  });
  const times = new Map(places.map(([name]) => [name, []]));
  // The first round loads what pages are made of and asks for what they show.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, heading] of places) {
      const link = page.locator(`nav a[title="${name}"]`).first();
      const events = await traced(page, async () => {
        const stands = page.evaluate((heading) => {
          const before = document.querySelector('h1')?.textContent;
          const is = () => {
            const now = document.querySelector('h1')?.textContent?.trim();
            const there = heading === null ? now !== undefined && now !== before : now?.startsWith(heading);
            return there && !document.querySelector('main [aria-busy="true"], main .loading, main .skel');
          };
          return new Promise((resolve) => {
            const look = new MutationObserver(() => {
              if (!is()) return;
              look.disconnect();
              performance.mark('stands');
              resolve();
            });
            look.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
          });
        }, heading);
        await link.click();
        await stands;
      });
      const pressed = events.find(({ name }) => name === 'pressed').ts;
      const stood = events.find(({ name }) => name === 'stands').ts;
      const drawn = events.find(({ name, ts }) => name === 'DrawFrame' && ts >= stood);
      times.get(name).push((drawn.ts - pressed) / 1000);
      await settled();
    }
  }
  console.log('from a press to the painted page, ms           first    middle     worst');
  let worst = 0;
  for (const [name, [first, ...later]] of times) {
    later.sort((a, b) => a - b);
    worst = Math.max(worst, later.at(-1));
    line(name, [first, later[Math.floor(later.length / 2)], later.at(-1)].map(Math.round));
  }
  console.log(`the worst after the first round: ${Math.round(worst)} ms, goal 100, ${verdict(worst <= 100)}\n`);
}

async function rolls() {
  const query = encodeURIComponent(`{ spends(limit: ${rows}) { date amount unit service_name id } }`);
  await page.goto(new URL(`/api-explorer#query=${query}`, page.url()).toString());
  await page.getByRole('button', { name: /^Run/ }).first().click();
  await page.getByRole('button', { name: 'Table', exact: true }).click({ timeout: 120_000 });
  const there = await page.locator('table[aria-label="Rows of the result"]').getAttribute('aria-rowcount');
  const table = await rolled(page, '.tw.fill');
  const other = await browser.newPage();
  await other.setContent(
    `<div id="plain" style="height: 800px; overflow: auto">${'<p>A line of text that is always the same.</p>'.repeat(rows / 100)}</div>`,
  );
  const plain = await rolled(other, '#plain');
  console.log('frames while rolling                          drawn    partly   dropped   missing');
  line(`a table of ${there - 1} rows`, table);
  line('a page of plain text', plain);
  console.log(`frames dropped: ${table[2]}, goal 0, ${verdict(table[2] === 0)}`);
}

/** How many frames were drawn, drawn in parts, dropped, and drawn with something missing, while what `css` selects on `page` is rolled through. */
async function rolled(page, css) {
  await page.locator(css).first().waitFor();
  const { x, y, width, height } = await page.locator(css).first().boundingBox();
  const session = await page.context().newCDPSession(page);
  const events = await traced(page, async () => {
    for (const yDistance of [-12_000, 12_000]) {
      await session.send('Input.synthesizeScrollGesture', {
        x: x + width / 2,
        y: y + height / 2,
        yDistance,
        speed: 4_000,
        gestureSourceType: 'mouse',
      });
    }
  });
  const frames = events.filter(({ name, ph }) => name === 'PipelineReporter' && ph === 'b').map(({ args }) => args.frame_reporter);
  const count = (is) => frames.filter(is).length;
  return [
    count(({ state }) => state === 'STATE_PRESENTED_ALL'),
    count(({ state }) => state === 'STATE_PRESENTED_PARTIAL'),
    count(({ state }) => state === 'STATE_DROPPED'),
    count(({ has_missing_content }) => has_missing_content),
  ];
}

function line(what, figures) {
  console.log(what.padEnd(42) + figures.map((figure) => String(figure).padStart(10)).join(''));
}

function verdict(isMet) {
  return isMet ? 'met' : 'NOT met';
}
