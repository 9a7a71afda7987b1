import { expect, test } from 'vitest';
import type { SamlHealth } from '@/api';
import { ofBackups, ofData, ofSignOn, size, upFor, withoutBackups } from './checks';
import type { HealthReport } from './queries';

const now = new Date('2026-11-20T12:00:00Z');
const health: SamlHealth = {
  enabled: true,
  status: 'warning',
  certificate: { expired: false, expiringSoon: true, expiresAt: '2026-12-13T23:59:59Z', daysUntilExpiry: 23 },
  config: { entryPoint: 'https://sso.example.com/…', issuer: 'https://sso.example.com', callbackUrl: 'https://c/acs' },
  messages: ['Certificate expires in 23 days'],
};
const report: HealthReport = {
  checked_at: '2026-11-20T12:00:00Z',
  started_at: '2026-11-13T15:00:00Z',
  version: '0.1.0',
  system: 'linux x86_64',
  pages: true,
  database: { bytes: 14_200_000_000, tables: 90 },
  disk: { free_bytes: 500_000_000, total_bytes: 200_000_000_000 },
  last_import: null,
  unfinished_imports: 0,
};

test('a certificate that ends soon is a warning with the way to replace it', () => {
  expect(ofSignOn(health, now)).toEqual([
    {
      tone: 'warn',
      what: 'SAML certificate',
      says: 'Expires 13 Dec, in 23 days',
      action: { title: 'Replace', to: '/settings/single-sign-on' },
    },
    { tone: 'ok', what: 'SAML configuration', says: 'Complete, on the sign-in page' },
  ]);
});

test('an expired certificate says that nobody signs in', () => {
  const expired = { ...health, certificate: { ...health.certificate, expired: true, expiringSoon: false } };
  expect(ofSignOn(expired, now)[0]).toMatchObject({
    tone: 'bad',
    says: 'Expired on 13 Dec: nobody can sign in with SAML',
  });
});

test('single sign-on that was never set up is off, not wrong', () => {
  const none = { expired: null, expiringSoon: null, expiresAt: null, daysUntilExpiry: null };
  const off = { ...health, enabled: false, certificate: none };
  expect(ofSignOn(off, now).map((check) => check.tone)).toEqual(['off']);
});

test('a disk with little room is a warning', () => {
  const disk = ofData(report, now).find((check) => check.what === 'Disk');
  expect(disk).toMatchObject({ tone: 'warn', says: '500 MB of 200 GB free, too little for a large import' });
});

test('an administrator of another tenant is told nothing of the database and its disk', () => {
  const told = ofData({ ...report, database: null, disk: null }, now).map((check) => check.what);
  expect(told).toEqual(['Last import']);
});

test('backups that are not taken are told in the words of the service', () => {
  const says = 'the folder of backups /mnt/backups is not there; connect the disk it is on';
  const found = ofData({ ...report, backup_troubles: [says] }, now).find((check) => check.what === 'Backups');
  expect(found).toMatchObject({ tone: 'bad', says });
  expect(ofData(report, now).some((check) => check.what === 'Backups')).toBe(false);
});

test('where no backup was ever taken, or none is sound, that is a warning', () => {
  const backup = { taken_at: '2026-11-20T06:12:00Z' };
  const failed = { ...backup, check: { state: 'failed' as const } };
  const sound = { ...backup, check: { state: 'verified' as const } };
  expect(ofBackups([], now)).toMatchObject({ tone: 'warn', says: 'No backups yet' });
  expect(ofBackups([failed], now)).toMatchObject({ tone: 'warn', says: 'No backup could be verified' });
  expect(ofBackups([failed, { ...sound, taken_at: '2026-11-19T06:12:00Z' }, sound], now)).toMatchObject({
    tone: 'ok',
    says: 'Verified, 20 Nov, 06:12',
  });
});

test('an import that failed is told with the way to its report', () => {
  const failed = { file_name: 'a.csv', state: 'failed', format: null, rows_written: 0, rows_skipped: 0 };
  const at = '2026-11-20T06:12:00Z';
  const found = ofData({ ...report, last_import: { ...failed, created_at: at, finished_at: at } }, now);
  expect(found.at(-1)).toMatchObject({ tone: 'bad', says: 'a.csv failed, 20 Nov, 06:12' });
});

test('sizes and spans are told in units people know', () => {
  expect([size(999), size(14_200_000_000), size(2_000_000)]).toEqual(['999 B', '14.2 GB', '2.0 MB']);
  expect(upFor(report.started_at, now)).toBe('6 d 21 h');
});

test('whom backups are not for is not warned of them', () => {
  expect(withoutBackups(403)).toMatchObject({ tone: 'off' });
  expect(withoutBackups(404)).toBeUndefined();
  expect(withoutBackups(500)).toMatchObject({ tone: 'warn', says: 'Backups could not be read' });
});
