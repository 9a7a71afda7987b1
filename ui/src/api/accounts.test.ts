import { expect, test } from 'vitest';
import { ofCloud } from './accounts';

test('a page begins with an account of a cloud, before those that alerts came with', () => {
  const [alerts, shop] = [
    { id: 'alerts', cloud_provider: 'Other' },
    { id: 'shop', cloud_provider: 'AWS' },
  ];
  expect(ofCloud([alerts, shop])).toBe(shop);
  expect(ofCloud([alerts])).toBe(alerts);
  expect(ofCloud([])).toBeUndefined();
});
