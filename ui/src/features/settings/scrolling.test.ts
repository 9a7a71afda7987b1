import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = 'src/features/settings';
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const read = (ending: string) =>
  files
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n');

/** Lists of links, which are tab stops themselves, and pages around a region that scrolls by itself. */
const withStopsInside = ['setnav', 'setlist', 'pvl', 'page'];

/** The last class of every selector of a rule that scrolls. */
function scrolling(css: string): Set<string> {
  const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  return new Set(
    rules
      .filter(([, , body]) => /overflow(-[xy])?:\s*(auto|scroll)/.test(body ?? ''))
      .flatMap(([, selector]) => (selector ?? '').replace(/:has\([^)]*\)/g, '').split(','))
      .map(
        (selector) =>
          selector
            .trim()
            .split(/[\s>]+/)
            .at(-1) ?? '',
      )
      .flatMap((part) => /^\.([\w-]+)/.exec(part)?.[1] ?? []),
  );
}

test('every region of Settings that scrolls has a tab stop and a name', () => {
  const source = read('.tsx');
  const regions = [...scrolling(read('.css'))].filter((name) => !withStopsInside.includes(name));
  expect(regions).toEqual(expect.arrayContaining(['setscroll', 'pvbody', 'exact', 'xml', 'code']));
  const elements = [...source.matchAll(/<(?:div|pre|section)\b(?:[^<>]|=>)*>/g)].map(([element]) => element);
  const without = regions.filter((name) => {
    const own = elements.filter((element) => new RegExp(`['"]${name}['" ]`).test(element));
    return (
      own.length === 0 || own.some((element) => !/tabIndex(=\{|: )0/.test(element) || !element.includes('aria-label'))
    );
  });
  expect(without).toEqual([]);
});
