import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curl } from './curl';

test('a request becomes a line with a place for the token', () => {
  expect(curl('http://127.0.0.1:8790', '{"query":"{ tenant { id } }"}')).toBe(
    [
      `curl 'http://127.0.0.1:8790/api/graphql' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -H "Authorization: Bearer $QUARTERDECK_TOKEN" \\`,
      `  --data-raw '{"query":"{ tenant { id } }"}'`,
    ].join('\n'),
  );
});

test('a shell hands over exactly the body, whatever is in it', () => {
  const body = `{"query":"{ a(x: \\"it's $HOME \`id\` \\\\ \\n 'é' ;\\") }"}`;
  const line = curl('http://h', body).replace(/^curl/, `printf '%s|'`);
  const given = execFileSync('sh', ['-c', line], { encoding: 'utf8', env: { QUARTERDECK_TOKEN: 't' } }).split('|');
  expect(given.slice(0, 6)).toEqual([
    'http://h/api/graphql',
    '-H',
    'Content-Type: application/json',
    '-H',
    'Authorization: Bearer t',
    '--data-raw',
  ]);
  expect(given[6]).toBe(body);
});
