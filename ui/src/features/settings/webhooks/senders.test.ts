import { expect, test } from 'vitest';
import { isLocal, problemOfName, senders } from './senders';

test('an address has a name of its own of at most 80 characters', () => {
  expect(problemOfName('Grafana', ['PagerDuty'])).toBeUndefined();
  expect(problemOfName('  ', [])).toContain('Enter a name');
  expect(problemOfName(' Grafana ', ['Grafana'])).toContain('already');
  expect(problemOfName('x'.repeat(81), [])).toContain('81');
});

test('an address of this computer is told from one that others reach', () => {
  expect(isLocal('http://127.0.0.1:7878')).toBe(true);
  expect(isLocal('http://localhost:7878')).toBe(true);
  expect(isLocal('http://[::1]:7878')).toBe(true);
  expect(isLocal('https://console.example.com')).toBe(false);
  expect(isLocal('https://127.example.com')).toBe(false);
});

test('what is pasted elsewhere holds the address, and the message sent by hand is JSON', () => {
  const address = 'https://console.example.com/api/webhooks/abc';
  const texts = senders.flatMap(({ text }) => (text ? [text(address)] : []));
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) expect(text).toContain(address);
  const body = /-d '(.*)'$/.exec(texts.at(-1) ?? '')?.[1] ?? '';
  expect(JSON.parse(body)).toMatchObject({ alerts: [{ labels: { alertname: 'Trial' } }] });
});
