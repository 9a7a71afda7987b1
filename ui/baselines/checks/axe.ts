import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Theme } from '../stage';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose answer depends on colours; the other rules answer the same in both themes. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** What axe-core finds wrong on the page that is open, every rule of it but the experimental ones; none is switched off. */
export async function violations(page: Page, theme: Theme): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(run, theme === 'light' ? null : rulesOfColours);
}

/** Runs in the page. */
async function run(only: string[] | null): Promise<string[]> {
  const { axe: checker } = globalThis as unknown as { axe: typeof axe };
  const { violations } = await checker.run(document, {
    resultTypes: ['violations'],
    ...(only ? { runOnly: { type: 'rule', values: only } } : { rules: { 'target-size': { enabled: true } } }),
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const [, ...reasons] = failureSummary.split('\n').map((line) => line.trim());
      return `axe ${id}: ${target.join(' ')}: ${reasons.join('; ')}`;
    }),
  );
}
