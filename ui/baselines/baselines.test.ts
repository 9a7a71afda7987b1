import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from './checks/axe';
import { alikeInForcedColours } from './checks/forced';
import { Keyboard } from './checks/keyboard';
import { crowded, fieldsOutside, rolling } from './checks/reach';
import { cutTexts } from './checks/texts';
import { squeezed } from './checks/wide';
import { difference, marked } from './difference';
import type { Difference, Picture } from './difference';
import { Stage } from './stage';
import type { Width } from './stage';
import { details, viewsOfSample, viewsOfService } from './views';
import type { View } from './views';

const renews = process.env['UPDATE_BASELINES'] !== undefined;
const kept = join(import.meta.dirname, 'pictures');
const failed = resolve(import.meta.dirname, '../../target/baselines');

/** How long a page may take to look as it is wanted; a busy machine draws late. */
const patience = 8_000;
/** The same before a picture is taken anew. */
const shortPatience = 1_500;

/** Views with which the rail and the status bar are gone over, too. */
const framed = new Set(['first-run', 'overview', 'event']);

let stage: Stage;
let keyboard: Keyboard;

beforeAll(async () => {
  rmSync(failed, { recursive: true, force: true });
  stage = await Stage.start();
  keyboard = await Keyboard.of(stage.page);
});
afterAll(async () => {
  await stage.close();
});

test('sign-in', () => looksAsWanted({ name: 'sign-in', address: '/sign-in', widths: [1280, 390] }));

describe('before the sample', () => {
  beforeAll(() => stage.signIn());
  for (const view of viewsOfService) test(view.name, () => looksAsWanted(view));
});

describe('with the sample', () => {
  beforeAll(() => stage.loadSample());
  for (const view of [...viewsOfSample, ...details]) test(view.name, () => looksAsWanted(view));
});

describe('what is wrong on a page is found', () => {
  test.skipIf(renews).each([
    ['a column without text', 'events', '#main td:nth-child(5) { visibility: hidden }'],
    ['a page that is 12 px lower', 'events', '#main { transform: translateY(12px) }'],
    ['letters of another size', 'events', '#main .tbl { font-size: 15px }'],
    ['another accent', 'imports', ':root[data-theme] { --accent: #17713f }'],
  ])('%s', async (_, name, rule) => {
    expect((await changed(name, rule)).message).toMatch(/blocks differ/);
  });

  test.skipIf(renews)('but not letters that are drawn a little thicker', async () => {
    expect((await changed('events', 'body { -webkit-text-stroke: 0.1px }')).message).toBeUndefined();
  });
});

test('what on a page cannot be read, named, seen whole or reached by Tab is found', async () => {
  await stage.open('/imports', 1280);
  await stage.style(`
    h1 { width: 12px; overflow: hidden; color: #ccc }
    #main > * { min-width: 2000px }
    .rail :focus-visible { outline: none }
    #main input[type='search'] { position: absolute; left: 1200px }
    .main { overflow: clip }
    .beside { flex: 1 1 0; min-height: 0 !important }
    #main { overflow: auto }
    .top { min-height: 160px }
    .rail { overflow: hidden !important }
    .nav a[aria-current] { background: none !important }
    .btn.pri:not(#a, #b, #c) { forced-color-adjust: auto !important; background: ButtonFace !important }
    .panel > .tw { margin-right: -20px }
  `);
  await stage.page.evaluate(() => {
    const [unnamed, unreached, trap] = document.querySelectorAll<HTMLElement>('#main button');
    unnamed?.replaceChildren();
    unnamed?.removeAttribute('title');
    if (unreached) unreached.tabIndex = -1;
    trap?.addEventListener('keydown', (event) => {
      event.preventDefault();
    });
  });
  const found = [
    ...(await violations(stage.page, 'light', { frame: true })),
    ...(await textsAt(1280)),
    ...(await keyboard.faults()),
    ...(await fieldsOutside(stage.page)),
    ...(await alikeInForcedColours(stage.page)),
    ...(await squeezed(stage.page)),
  ];
  for (const width of [640, 1000] as const) {
    await stage.lower(width);
    found.push(...(await crowded(stage.page)));
  }
  await stage.resize(320);
  found.push(...(await rolling(stage.page)));
  for (const fault of [
    /^axe button-name/,
    /^axe color-contrast: h1/,
    /^at 1280 px “Imports” of h1 is cut by h1/,
    /^at 1280 px the page scrolls sideways/,
    /^a “Overview” shows no ring/,
    /^Tab does not reach button/,
    /^Tab does not leave button/,
    /^the field “.*” lies from \d+ to/,
    /^the content gets \d+% of a low window/,
    /^\d+ px of the rail are out of reach/,
    /^main.* rolls sideways/,
    /^in forced colours a.* “Imports” looks like “.*”, which is not chosen/,
    /^in forced colours button.btn.pri “.*” looks like any other button/,
    /stands \d+ px out of its panel/,
  ])
    expect(found).toContainEqual(expect.stringMatching(fault));
});

/** How far a page with one more rule in its styles is from its picture. */
async function changed(name: string, rule: string): Promise<Difference> {
  const wanted = await stage.codec.read(join(kept, `${name}-1280-light.webp`));
  if (wanted === undefined) throw new Error(`there is no picture of ${name}`);
  await stage.open(`/${name}`, 1280);
  expect(difference((await until(wanted, patience)).picture, wanted).message).toBeUndefined();
  await stage.style(rule);
  return difference((await shot()).picture, wanted);
}

/**
 * Compares both themes in every width with what is kept, or keeps what differs (`UPDATE_BASELINES=1`), and goes over the same page with axe-core, for
 * cut texts, for what is chosen and does not look so in forced colours, for fields that are partly out of sight and parts that roll sideways, for bars that leave a low window no room, for what stands
 * out of its panel or gets no room in a wide one, and with Tab.
 */
async function looksAsWanted(view: View) {
  const wrong = new Set<string>();
  const add = (messages: string[]) => {
    for (const message of messages) wrong.add(message);
  };
  for (const width of view.widths) {
    await stage.open(view.address, width);
    for (const text of view.pressed ?? []) await stage.press(text);
    for (const theme of ['light', 'dark'] as const) {
      await stage.show(theme);
      const message = await compared(`${view.name}-${String(width)}-${theme}`);
      if (message !== undefined) wrong.add(message);
      // A page is made of the same at every width; what is near to what changes at the narrowest.
      if (width === view.widths[0] || (width === 390 && theme === 'light'))
        add(await violations(stage.page, theme, { frame: framed.has(view.name) }));
    }
    add(await textsAt(width));
    if (width === view.widths[0]) {
      // Beside what is open a table may have less room than its columns need.
      if (view.pressed === undefined)
        for (const part of await rolling(stage.page)) wrong.add(`at ${String(width)} px ${part}`);
      add(await alikeInForcedColours(stage.page));
      for (const narrow of [390, 320] as const) {
        await stage.resize(narrow);
        add([...(await textsAt(narrow)), ...(await fieldsOutside(stage.page))]);
        for (const part of await rolling(stage.page)) wrong.add(`at ${String(narrow)} px ${part}`);
      }
      for (const low of [640, 1000] as const) {
        await stage.lower(low);
        add(await crowded(stage.page));
      }
      // So wide are the pages drawn.
      await stage.resize(1440);
      add([...(await textsAt(1440)), ...(await squeezed(stage.page)).map((message) => `at 1440 px ${message}`)]);
      await stage.resize(width);
    }
    if (width !== 1100) add(await keyboard.faults());
  }
  if (wrong.size > 0) expect.fail([...wrong].join('\n'));
}

/** Texts that are cut, and stay so: a page that has just got another width is laid out once more. */
async function textsAt(width: Width): Promise<string[]> {
  const end = performance.now() + shortPatience;
  for (;;) {
    const found = await cutTexts(stage.page);
    if (found.length === 0 || performance.now() > end)
      return found.map((message) => `at ${String(width)} px ${message}`);
    await pause(100);
  }
}

async function compared(name: string): Promise<string | undefined> {
  const file = join(kept, `${name}.webp`);
  const wanted = await stage.codec.read(file);
  if (wanted === undefined && !renews) return `${name}: there is no picture yet. \`make baselines\` takes it`;
  const { screenshot, picture } = await (wanted ? until(wanted, renews ? shortPatience : patience) : steady());
  const found = wanted && difference(picture, wanted);
  // What is renewed is renewed to the last block: what is just within the tolerance would not stay there.
  if (wanted && found?.message === undefined && !(renews && found && found.blocks.length > 0)) return undefined;
  if (renews) {
    await stage.codec.write(file, (await steady()).picture);
    return undefined;
  }
  mkdirSync(failed, { recursive: true });
  writeFileSync(join(failed, `${name}.png`), screenshot);
  if (wanted && found) {
    await stage.codec.write(join(failed, `${name}-wanted.webp`), wanted);
    await stage.codec.write(join(failed, `${name}-difference.webp`), marked(wanted, found));
  }
  return `${name}: ${found?.message ?? 'no picture'}; see ${join(failed, name)}*`;
}

interface Shot {
  screenshot: Buffer;
  picture: Picture;
}

async function shot(): Promise<Shot> {
  const screenshot = await stage.screenshot();
  return { screenshot, picture: await stage.codec.scaledDown(screenshot) };
}

/** A picture that is as wanted, or the last before patience ended. */
async function until(wanted: Picture, patience: number): Promise<Shot> {
  const end = performance.now() + patience;
  for (;;) {
    const now = await shot();
    if (difference(now.picture, wanted).message === undefined || performance.now() > end) return now;
    await pause(100);
  }
}

/** A picture that stays the same for more than half a second. */
async function steady(): Promise<Shot> {
  let before = await shot();
  for (;;) {
    await pause(300);
    await stage.settled();
    const middle = await shot();
    await pause(300);
    const after = await shot();
    const isSteady = [before, middle].every(({ picture }) => difference(picture, after.picture).blocks.length === 0);
    if (isSteady) return after;
    before = after;
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
