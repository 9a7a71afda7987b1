import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('in a narrow window providers and the open one stand in one column', () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(readFileSync('src/features/settings/providers/providers.css', 'utf8'));
  const wraps = Array.from(sheet.cssRules)
    .filter((rule): rule is CSSMediaRule => 'media' in rule)
    .filter((rule) => Array.from(rule.cssRules).some((one) => /\.page\.flush.*flex-wrap: wrap/s.test(one.cssText)));
  // The page is a column below 761 px: wrapped, what does not fit would stand beside it, out of sight.
  expect(wraps.map((rule) => rule.media.mediaText)).toEqual(['(min-width: 761px) and (max-width: 1000px)']);
});
