// The pages with the data of a large company, in a Chromium without a screen: `make bench-pages`.
//
// Imports a bill, alerts, the dump of a cluster and a support bundle into a data directory of its own and prints a table: from a click in the rail to
// the painted page (the same trace as pages.mjs), the search as the palette asks it, a webhook until its event is on the page, a bundle until its
// cluster can be browsed, and what a browser loads. BENCH_PROGRAM names another quarterdeck-server; BENCH_CHARGES, BENCH_EVENTS, BENCH_PODS and
// BENCH_BUNDLE (bytes) other sizes; BENCH_DATA a data directory that an earlier run has left, which is copied instead of importing anew, and BENCH_KEEP
// where this run leaves its own.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { alerts, bill, bundle, cluster } from './console_data.mjs';

const require = createRequire(new URL('../../ui/package.json', import.meta.url));
const { chromium } = require('playwright-core');

const project = resolve(import.meta.dirname, '../..');
const program = process.env.BENCH_PROGRAM || join(project, 'target/release/quarterdeck-server');
const sizeOf = (name, usual) => Number(process.env[name] || usual);
const charges = sizeOf('BENCH_CHARGES', 1_000_000);
const events = sizeOf('BENCH_EVENTS', 100_000);
const pods = sizeOf('BENCH_PODS', 20_000);
const bundleBytes = sizeOf('BENCH_BUNDLE', 150_000_000);
const rounds = 5;
const searches = 200;

/** What is pressed in the rail: the section, the page, and what its heading is. */
const places = [
  ['Overview', 'Overview'],
  ['Explorer', 'Explorer'],
  ['Recommendations', 'Recommendations'],
  ['Accounts', 'Accounts'],
  ['Resources', 'Resources'],
  ['Kubernetes', 'Kubernetes'],
  ['All events', 'Events'],
  ['Logs', 'Logs'],
  ['Imports', 'Imports'],
];
const sections = { Explorer: 'Costs', Accounts: 'Inventory', Resources: 'Inventory', Kubernetes: 'Inventory', 'All events': 'Events', Logs: 'Events' };

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-bench-'));
const data = join(folder, 'data');
let service;
let browser;
const ends = () => {
  service?.kill();
  rmSync(folder, { recursive: true, force: true });
};
process.once('SIGINT', () => process.exit(130));
process.once('exit', ends);

async function main() {
  const known = process.env.BENCH_DATA;
  console.log(`${program}, ${cpus().length} cores, ${known ? `the data of ${known}` : `${charges} charges, ${events} events, ${pods} pods`}`);
  if (known) cpSync(known, data, { recursive: true });
  else await imported();
  if (process.env.BENCH_KEEP) cpSync(data, process.env.BENCH_KEEP, { recursive: true });
  const link = await serve();
  const executablePath = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`).find(existsSync);
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(link);
  await settled(page);
  await weighed(context, new URL(page.url()).origin);
  await clicks(page);
  await searched(page);
  await live(page);
  await browsed(page);
}

/** Makes the files up and imports them. */
async function imported() {
  for (const [name, make, rows] of [
    ['bill.csv', bill, charges],
    ['alerts.json', alerts, events],
    ['cluster.json', cluster, pods],
  ]) {
    const file = join(folder, name);
    await make(file, rows);
    const began = performance.now();
    run('import', file);
    console.log(`imported ${name}, ${mb(statSync(file).size)}, in ${seconds(began)}`);
    rmSync(file);
  }
}

function run(...args) {
  execFileSync(program, [...args, '--data-dir', data], { stdio: ['ignore', 'ignore', 'ignore'] });
}

/** Starts the service and answers its sign-in link. */
async function serve() {
  service = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--data-dir', data], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(service.stdout);
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const link = line.match(/\S+\/sign-in#code=\S+/)?.[0];
      if (link) resolve(link);
    });
  });
}

/** What a browser that has nothing yet loads for its first page, and what each page adds; pages that are fetched when nothing else is done are left out. */
async function weighed(context, origin) {
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const responses = new Map();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type, response }) => responses.set(requestId, { type, url: response.url }));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { type, url } = responses.get(requestId) ?? {};
    if (['Document', 'Script', 'Stylesheet', 'Font', 'Image', 'Other'].includes(type)) bytes += packed(url) ?? encodedDataLength;
  });
  await page.goto(`${origin}/overview`);
  await settled(page);
  console.log(`\nfirst load of the Overview, compressed, letters included: ${kb(bytes)}, goal 250 kB, ${verdict(bytes < 250_000)}`);
  let [heaviest, most] = ['', 0];
  for (const [name] of places.slice(1)) {
    bytes = 0;
    await go(page, name);
    if (bytes > most) [heaviest, most] = [name, bytes];
  }
  console.log(`the heaviest later page, ${heaviest}: ${kb(most)}, goal 100 kB, ${verdict(most < 100_000)}`);
  await page.close();
}

/** What a browser on another computer loads of an asset: this computer gets it as it is. Undefined for what is never packed. */
function packed(url) {
  const file = join(project, 'ui/dist', `${new URL(url).pathname}.br`);
  return existsSync(file) ? statSync(file).size : undefined;
}

/** The link to a page in the rail; its section is opened first. */
async function linkTo(page, name) {
  const link = page.locator(`nav a[title="${name}"], nav a:text-is("${name}")`).first();
  const section = sections[name];
  if (section && !(await link.isVisible())) {
    // The section opens with its first page, which is not measured here.
    await page.locator(`nav a[title="${section}"], nav a:text-is("${section}")`).first().click();
    await settled(page);
  }
  return link;
}

async function go(page, name) {
  await (await linkTo(page, name)).click();
  await settled(page);
}

async function settled(page) {
  await page.waitForFunction(() => document.querySelector('main') && !document.querySelector('main [aria-busy="true"], main .loading, main .skel'), null, { timeout: 120_000 });
}

/** From a press in the rail to the first frame after the page stands. */
async function clicks(page) {
  console.log('\nfrom a click to the painted page, ms         first    middle     worst');
  let worst = 0;
  const times = new Map(places.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, heading] of places) {
      const link = await linkTo(page, name);
      const stood = page.evaluate(stands, heading);
      await link.click({ timeout: 30_000 });
      times.get(name).push(await stood);
      await settled(page);
    }
  }
  for (const [name, [first, ...later]] of times) {
    later.sort((a, b) => a - b);
    worst = Math.max(worst, later.at(-1));
    const figures = [first, later[Math.floor(later.length / 2)], later.at(-1)];
    console.log(name.padEnd(40) + figures.map((ms) => String(Math.round(ms)).padStart(10)).join(''));
  }
  console.log(`the worst after the first round: ${Math.round(worst)} ms, goal 150, ${verdict(worst <= 150)}`);
}

/** Runs in the page: milliseconds from the next press to the frame after the heading is there and nothing waits. */
function stands(heading) {
  return new Promise((resolve) => {
    let pressed;
    document.addEventListener(
      'pointerdown',
      (event) => {
        pressed = event.timeStamp;
        const look = () => {
          const there = document.querySelector('h1')?.textContent?.trim().startsWith(heading) && !document.querySelector('main [aria-busy="true"], main .loading, main .skel');
          if (!there) return requestAnimationFrame(look);
          // After this frame was painted.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
        };
        // The press is done when the pointer is released.
        document.addEventListener('click', () => requestAnimationFrame(look), { once: true });
      },
      { once: true, capture: true },
    );
  });
}

/** What the palette asks for, over names of everything, as often as somebody types. */
async function searched(page) {
  const times = await page.evaluate(async (count) => {
    const query = 'query ($text: String!) { search_everything(request: {text: $text}) { rows { kind title note } } }';
    const times = [];
    for (let place = 0; place < count; place++) {
      const number = (place * 7919) % 1_000_000;
      const text = [`node-${number}`, `node-${String(number).slice(0, 3)}`, `service ${place}`, `service-${place % 2000}`, 'crash'][place % 5];
      const began = performance.now();
      const answer = await fetch('/api/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables: { text } }) });
      const { data, errors } = await answer.json();
      times.push(performance.now() - began);
      if (!data) throw new Error(JSON.stringify(errors));
    }
    return times.sort((a, b) => a - b);
  }, searches);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  console.log(`\nsearch over everything, ms: p50 ${at(0.5).toFixed(1)}, p99 ${at(0.99).toFixed(1)}, goal 50, ${verdict(at(0.99) < 50)}`);
}

/** An alert by webhook until it is on the page of events that is open. */
async function live(page) {
  const token = await page.evaluate(async () => {
    const query = 'mutation { webhook_create(request: {name: "Bench", account_name: "Bench alerts"}) { token } }';
    const answer = await fetch('/api/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) });
    return (await answer.json()).data.webhook_create.token;
  });
  const origin = new URL(page.url()).origin;
  await page.goto(`${origin}/events`);
  await settled(page);
  const times = [];
  for (let place = 0; place < rounds; place++) {
    const summary = `A live alert, number ${place}`;
    const alert = {
      status: 'firing',
      labels: { alertname: `Live${place}`, severity: 'critical', namespace: 'bench' },
      annotations: { summary },
      startsAt: new Date().toISOString(),
      fingerprint: `live${place}`,
    };
    const shown = page.getByText(summary).first().waitFor({ timeout: 30_000 });
    const began = performance.now();
    const answer = await fetch(`${origin}/api/webhooks/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: '4', groupKey: `bench-${place}`, status: 'firing', receiver: 'bench', groupLabels: {}, commonLabels: {}, commonAnnotations: {}, externalURL: '', alerts: [alert] }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    await shown;
    times.push(performance.now() - began);
    await page.waitForTimeout(500);
  }
  const worst = Math.max(...times);
  console.log(`an alert by webhook until it is shown: ${times.map(Math.round).join(', ')} ms, goal 1000, ${verdict(worst < 1_000)}`);
}

/** A support bundle until its cluster can be browsed. */
async function browsed(page) {
  const file = join(folder, 'bundle.tar.gz');
  await bundle(folder, file, bundleBytes);
  const origin = new URL(page.url()).origin;
  await page.goto(`${origin}/imports`);
  await settled(page);
  const began = performance.now();
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByText('bundle.tar.gz').first().waitFor({ timeout: 30_000 });
  const imported = await page.evaluate(async () => {
    for (;;) {
      const query = '{ imports(where: {file_name: {_eq: "bundle.tar.gz"}}) { state } }';
      const answer = await fetch('/api/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) });
      const rows = (await answer.json()).data?.imports ?? [];
      const state = rows[0]?.state;
      if (['done', 'done_with_skips', 'failed'].includes(state)) return state;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  await page.goto(`${origin}/inventory/kubernetes?tab=pods`);
  await settled(page);
  const took = performance.now() - began;
  console.log(`a bundle of ${mb(bundleBytes)} (${mb(statSync(file).size)} packed, ${imported}) until its pods are listed: ${(took / 1000).toFixed(1)} s, goal 10, ${verdict(took < 10_000)}`);
}

const verdict = (isMet) => (isMet ? 'met' : 'NOT met');
const kb = (bytes) => `${Math.round(bytes / 1000)} kB`;
const mb = (bytes) => `${Math.round(bytes / 1_000_000)} MB`;
const seconds = (began) => `${((performance.now() - began) / 1000).toFixed(0)} s`;

await main();
await browser.close();
process.exit(0);
