import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('a narrow window hides the hints at the foot of a dialog, and never its buttons', () => {
  const rules = readFileSync('src/shared/styles/narrow-parts.css', 'utf8');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  const foot = document.createElement('div');
  foot.innerHTML =
    '<div class="dialog"><div class="df"><span>Esc closes</span><span class="end"><b>OK</b></span></div></div>';
  const hidden = Array.from(sheet.cssRules)
    .flatMap((rule) => ('cssRules' in rule ? Array.from((rule as CSSMediaRule).cssRules) : [rule]))
    .filter((rule): rule is CSSStyleRule => 'selectorText' in rule && /display: none/.test(rule.cssText))
    .flatMap((rule) => Array.from(foot.querySelectorAll(rule.selectorText)));
  expect(hidden.some((element) => element.textContent === 'Esc closes')).toBe(true);
  expect(hidden.some((element) => element.matches('.end'))).toBe(false);
});

test('in a low window a dialog scrolls between its title and its buttons', () => {
  const rules = readFileSync('src/shared/styles/overlays.css', 'utf8');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  const of = (selector: string) =>
    Array.from(sheet.cssRules).find((rule) => 'selectorText' in rule && rule.selectorText === selector)?.cssText;
  expect(of('.dialog')).toMatch(/max-height: calc\(\d+dvh/);
  expect(of('.dialog > .dbody')).toMatch(/overflow: auto/);
});

test('what says that there is nothing keeps together, however high the place it stands in', () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(readFileSync('src/shared/styles/status.css', 'utf8'));
  const rule = Array.from(sheet.cssRules).find((one) => 'selectorText' in one && one.selectorText === '.empty');
  expect(rule?.cssText).toMatch(/align-content: start/);
});
