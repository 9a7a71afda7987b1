import { expect, test } from 'vitest';
import { standing, versionNote } from './standing';

const look = { address: '', encrypted: true, certificates: [], took: 4, checked_at: '' };

test('an instance stands as it was found, and signed out only when it answers', () => {
  expect(standing(undefined, 'keyring').word).toBe('Looking');
  expect(standing({ ...look, version: '1' }, 'keyring').word).toBe('Connected');
  expect(standing({ ...look, version: '1' }, null).word).toBe('Signed out');
  expect(standing({ ...look, trouble: 'instance_unreachable' }, null).word).toBe('Not reachable');
  expect(standing({ ...look, trouble: 'certificate' }, 'keyring').tone).toBe('bad');
});

test('versions are compared number by number', () => {
  expect(versionNote('1.10.0', '1.9.0')).toBe('newer than this');
  expect(versionNote('0.9.9', '0.10.0')).toBe('older than this');
  expect(versionNote('1.0.0-rc.1', '1.0.0')).toBe('another build');
  expect(versionNote('1.0.0', '1.0.0')).toBeNull();
  expect(versionNote(null, '1.0.0')).toBeNull();
});
