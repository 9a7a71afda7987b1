import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Theme } from '../stage';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose answer depends on colours; the other rules answer the same in both themes. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** What axe-core finds wrong on the page that is open, by every rule that it has switched on and that of target sizes; the frame is the same around most pages. */
export async function violations(page: Page, theme: Theme, has: { frame: boolean }): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  // Rows of a long table are alike.
  const alike = ['tbody > tr:nth-child(n + 6)', ...(has.frame ? [] : ['.rail', '.status'])];
  return page.evaluate(run, { only: theme === 'light' ? null : rulesOfColours, alike });
}

/** Runs in the page. */
async function run({ only, alike }: { only: string[] | null; alike: string[] }): Promise<string[]> {
  const { axe: checker } = globalThis as unknown as { axe: typeof axe };
  const exclude = alike.filter((selector) => document.querySelector(selector) !== null);
  const { violations } = await checker.run(
    { exclude },
    {
      resultTypes: ['violations'],
      ...(only ? { runOnly: { type: 'rule', values: only } } : { rules: { 'target-size': { enabled: true } } }),
    },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const [, ...reasons] = failureSummary.split('\n').map((line) => line.trim());
      return `axe ${id}: ${target.join(' ')}: ${reasons.join('; ')}`;
    }),
  );
}
