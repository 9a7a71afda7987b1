import { expect, test } from 'vitest';
import { standing, validity, versionNote } from './standing';

const look = { address: '', encrypted: true, certificates: [], took: 4, checked_at: '' };

test('an instance stands as it was found, and signed out only when it answers', () => {
  expect(standing(undefined, 'keyring').word).toBe('Checking');
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

test('a certificate says when it ends, and before it does', () => {
  const shown = { subject: '', issuer: '', fingerprint_sha256: '', not_before: '', not_after: '' };
  expect(validity({ ...shown, state: 'healthy', days_left: 400 }, false)).toEqual({ tone: 'ok', note: '' });
  expect(validity({ ...shown, state: 'healthy', days_left: 400 }, true).note).toBe('own authority');
  expect(validity({ ...shown, state: 'warning', days_left: 1 }, true)).toEqual({ tone: 'warn', note: '1 day left' });
  expect(validity({ ...shown, state: 'warning', days_left: 9 }, false).note).toBe('9 days left');
  expect(validity({ ...shown, state: 'error', days_left: -2 }, false)).toEqual({ tone: 'bad', note: 'expired' });
});
