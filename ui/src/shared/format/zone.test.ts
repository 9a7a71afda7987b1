import { afterEach, expect, test, vi } from 'vitest';
import {
  age,
  date,
  dateOf,
  dateTime,
  dateTimeZone,
  fromField,
  setZone,
  timeSeconds,
  toField,
  utcTimeHere,
  zone,
} from './index';

const now = new Date('2026-11-20T06:38:00Z');

afterEach(() => {
  setZone(null);
});

test('the zone of the computer is asked for once, and again for whoever comes back to the page', () => {
  window.dispatchEvent(new Event('focus'));
  const asked = vi.spyOn(Intl, 'DateTimeFormat');
  for (let i = 0; i < 100; i++) zone();
  expect(asked).toHaveBeenCalledTimes(1);
  window.dispatchEvent(new Event('focus'));
  zone();
  expect(asked).toHaveBeenCalledTimes(2);
  asked.mockRestore();
});

test('without a choice times are those of the computer, which is UTC in tests', () => {
  expect([zone(), dateTimeZone('2026-11-19T23:30:00', now)]).toEqual(['UTC', '19 Nov, 23:30 UTC']);
});

test('times of day are shown where the person is, with the day they have there', () => {
  setZone('Europe/Berlin');
  expect(dateTime('2026-11-19T23:30:00', now)).toBe('20 Nov, 00:30');
  expect(dateTimeZone(new Date('2026-07-01T12:00:00Z'), now)).toBe('1 Jul, 14:00 CEST');
  expect(dateOf('2026-12-31T23:30:00Z', now)).toBe('1 Jan 2027');
  expect(timeSeconds('2026-11-20T06:30:04.123Z')).toBe('07:30:04');
  expect(age('2026-11-10T23:30:00', now)).toBe('11 Nov');
});

test('zones have the names that their people know', () => {
  const shortOf = (name: string) => {
    setZone(name);
    return dateTimeZone(now, now).slice(14);
  };
  expect(['America/New_York', 'Europe/London', 'Asia/Kolkata'].map(shortOf)).toEqual(['EST', 'GMT', 'GMT+5:30']);
});

test('days of bills are the same everywhere', () => {
  for (const name of ['America/Los_Angeles', 'Pacific/Auckland']) {
    setZone(name);
    expect([date('2026-11-01', now), date('2026-11-01T00:00:00', now), dateOf('2026-11-01', now)]).toEqual(
      Array(3).fill('1 Nov'),
    );
  }
});

test('on the day the clock is put forward, an hour that is left out is an hour later', () => {
  setZone('Europe/Berlin');
  expect(dateTimeZone('2026-03-29T00:59:00Z', now)).toBe('29 Mar, 01:59 CET');
  expect(dateTimeZone('2026-03-29T01:00:00Z', now)).toBe('29 Mar, 03:00 CEST');
  const typed = ['2026-03-29T01:30', '2026-03-29T02:30', '2026-03-29T03:30'].map((text) =>
    fromField(text).toISOString(),
  );
  expect(typed).toEqual(['2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z', '2026-03-29T01:30:00.000Z']);
});

test('on the day the clock is put back, an hour that comes twice is its first', () => {
  setZone('America/New_York');
  expect(['05:30', '06:30'].map((text) => dateTimeZone(`2026-11-01T${text}:00Z`, now))).toEqual([
    '1 Nov, 01:30 EDT',
    '1 Nov, 01:30 EST',
  ]);
  expect(fromField('2026-11-01T01:30').toISOString()).toBe('2026-11-01T05:30:00.000Z');
  expect(fromField('2026-11-01T02:00').toISOString()).toBe('2026-11-01T07:00:00.000Z');
});

test('a form gives back the moment it was given', () => {
  setZone('Asia/Kolkata');
  const at = new Date('2026-11-20T20:15:00Z');
  expect(toField(at)).toBe('2026-11-21T01:45');
  expect(fromField(toField(at))).toEqual(at);
});

test('what is no zone is not chosen from what the browser holds', () => {
  setZone('Europe/Berlin');
  expect(zone()).toBe('Europe/Berlin');
  expect(fromField('').getTime()).toBeNaN();
});

test('a time of day in UTC is told in the zone of the person, with another day where it is one', () => {
  expect(utcTimeHere('22:00', now)).toBeUndefined();
  expect(utcTimeHere('22:00', now, 'Europe/Berlin')).toBe('23:00 in Europe/Berlin');
  expect(utcTimeHere('22:00', new Date('2026-07-01T12:00:00Z'), 'Europe/Berlin')).toBe(
    '00:00 the next day in Europe/Berlin',
  );
  expect(utcTimeHere('2:00', now, 'America/New_York')).toBe('21:00 the day before in America/New_York');
  expect([utcTimeHere('25:00', now, 'Asia/Kolkata'), utcTimeHere('', now, 'Asia/Kolkata')]).toEqual([
    undefined,
    undefined,
  ]);
});
