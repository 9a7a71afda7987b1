import { describe, expect, it } from 'vitest';
import { linesOf, lossesOf, minutesOf, timeOf, until, withoutPassword } from './contents';

describe('what a backup holds', () => {
  it('names what people know and adds up the rest', () => {
    const rows = [
      { table: 'spends', now: 12, then: 10 },
      { table: 'roles', now: 8, then: 8 },
      { table: 'event_severity', now: 5, then: 5 },
      { table: 'events', now: 0, then: 0 },
    ];
    expect(linesOf(rows)).toEqual([
      { name: 'Cost rows', now: 12, then: 10 },
      { name: 'Everything else', now: 13, then: 13 },
    ]);
  });

  it('tells what would be lost, and nothing when nothing happened', () => {
    expect(lossesOf({ imports: [], import_count: 0, changes: 0, security_events: 0 })).toEqual([]);
    expect(lossesOf({ imports: ['a.csv'], import_count: 1, changes: 2, security_events: 0 })).toEqual([
      '1 import: a.csv. Import again afterwards',
      '2 changes people made',
    ]);
    const many = Array.from({ length: 20 }, (_, place) => `${String(place)}.csv`);
    expect(lossesOf({ imports: many, import_count: 25, changes: 0, security_events: 0 })[0]).toBe(
      '25 imports: 0.csv, 1.csv, 2.csv and 22 more. Import again afterwards',
    );
  });
});

describe('times', () => {
  it('read as they are written', () => {
    expect([timeOf(120), minutesOf('02:00'), minutesOf('7:05'), minutesOf('24:00'), minutesOf('noon')]).toEqual([
      '02:00',
      120,
      425,
      null,
      null,
    ]);
  });

  it('until then is told in two units', () => {
    const now = new Date('2026-11-20T06:41:00Z');
    expect(until('2026-11-21T02:00:00Z', now)).toBe('19 h 19 min');
    expect(until('2026-11-24T08:00:00Z', now)).toBe('4 d 1 h');
    expect(until('2026-11-20T06:40:00Z', now)).toBe('0 min');
  });
});

it('an address is shown without its password', () => {
  expect(withoutPassword('postgres://ada:s3c@ret@db:5432/q?sslmode=verify-full')).not.toContain('s3c');
  expect(withoutPassword('postgres://ada:s3cret@db:5432/q?sslmode=verify-full')).toBe(
    'postgres://ada@db:5432/q?sslmode=verify-full',
  );
  expect(withoutPassword('postgres://db/q?user=ada&password=s3cret')).toBe('postgres://db/q?user=ada');
  expect(withoutPassword('postgres://db/q?password=s3cret&sslmode=require')).toBe('postgres://db/q?sslmode=require');
  expect(withoutPassword('postgres://ada@%2Frun%2Fpostgresql/q')).toBe('postgres://ada@%2Frun%2Fpostgresql/q');
});
