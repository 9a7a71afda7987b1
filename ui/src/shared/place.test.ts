import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keptName, linkAt, pageIn, placeOf, serviceAddress } from './place';

const id = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';

test('an address names the instance it shows', () => {
  expect(placeOf(`/i/${id}/costs/explorer`)).toEqual({ instance: id, base: `/i/${id}` });
  expect(placeOf(`/i/${id}`)).toEqual({ instance: id, base: `/i/${id}` });
  for (const path of ['/', '/overview', '/i/', '/i/short/overview', `/i/${id}x/overview`, `/costs/i/${id}`])
    expect(placeOf(path)).toEqual({ instance: null, base: '' });
});

test('requests for an instance elsewhere go through the relay, those for this computer do not', () => {
  expect(serviceAddress('/api/graphql', id)).toBe(`/instances/${id}/api/graphql`);
  expect(serviceAddress('/api/graphql', null)).toBe('/api/graphql');
});

test('what a browser keeps of one instance is not read for another', () => {
  expect(keptName('draft', id)).not.toBe(keptName('draft', null));
  expect(keptName('draft', id)).not.toBe(keptName('draft', id.replace('1', '2')));
});

test('switching leads to the same page of the other instance', () => {
  expect(pageIn(id, '/costs/explorer')).toBe(`/i/${id}/costs/explorer`);
  expect(pageIn(null, '/overview')).toBe('/overview');
});

test('a link for a colleague names the place where the instance answers, and not the one it has on this computer', () => {
  const shown = { pathname: `/i/${id}/inventory/resources`, search: '?open=7', hash: '#costs' } as Location;
  expect(linkAt('https://plant.example.com', shown)).toBe('https://plant.example.com/inventory/resources?open=7#costs');
  expect(linkAt('http://127.0.0.1:8790', { ...shown, pathname: '/overview' })).toBe(
    'http://127.0.0.1:8790/overview?open=7#costs',
  );
});

test('where a page was loaded from is read in one place, so no page takes it for the address of the instance in front', () => {
  const readers = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .filter((name) => /\blocation\.(origin|host|hostname|port|href)\b/.test(readFileSync(`src/${name}`, 'utf8')));
  expect(readers).toEqual(['shared/place.ts']);
});
