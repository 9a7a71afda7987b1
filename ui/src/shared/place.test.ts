import { expect, test } from 'vitest';
import { keptName, pageIn, placeOf, serviceAddress } from './place';

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
