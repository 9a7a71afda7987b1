import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

const styles = 'src/shared/styles';

test('the letters that every page needs are small, and the faces of the packages stand before them', () => {
  const css = readFileSync(`${styles}/letters.css`, 'utf8');
  const files = [...css.matchAll(/url\(\.\/(letters\/[^)]+)\)/g)].map(([, file]) => file ?? '');
  expect(files).toHaveLength(2);
  const bytes = files.reduce((sum, file) => sum + statSync(`${styles}/${file}`).size, 0);
  expect(bytes).toBeLessThan(48_000);
  const main = readFileSync('src/main.tsx', 'utf8');
  expect(main.indexOf('@fontsource-variable/jetbrains-mono')).toBeLessThan(main.indexOf('styles/index.css'));
  expect(readFileSync('vite.config.ts', 'utf8')).toContain('(?:inter|jetbrains-mono)-english-');
});
