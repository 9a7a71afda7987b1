import { expect, test } from 'vitest';
import { filesOf, partsOf } from './BundleFiles';

const all = [
  { name: 'b/pods/logs/shop/web.log', size_bytes: 20, read_as: 'Log of a container' },
  { name: 'b/pods/logs/shop/lb.log', size_bytes: 31, left_out: 'No line of the log has a time' },
  { name: 'b/pods/shop.json', size_bytes: 200, read_as: 'Pod objects' },
];
const names = (search: Parameters<typeof filesOf>[1]) => filesOf(all, search).map(({ name }) => name);

test('files are found by parts of their name and by what became of them', () => {
  expect(names({})).toHaveLength(3);
  expect(names({ q: 'shop WEB' })).toEqual(['b/pods/logs/shop/web.log']);
  expect(names({ q: 'has a time' })).toEqual(['b/pods/logs/shop/lb.log']);
  expect(names({ q: 'pod objects' })).toEqual(['b/pods/shop.json']);
});

test('those that were not read can be shown alone', () => {
  expect(names({ trouble: true })).toEqual(['b/pods/logs/shop/lb.log']);
  expect(names({ trouble: true, q: 'web' })).toEqual([]);
});

test('the name of a file stands before its folder in the bundle', () => {
  expect(partsOf('support-bundle/cluster-resources/pods/shop.json')).toEqual({
    name: 'shop.json',
    folder: 'cluster-resources/pods',
  });
  expect(partsOf('version.yaml')).toEqual({ name: 'version.yaml', folder: '' });
});
