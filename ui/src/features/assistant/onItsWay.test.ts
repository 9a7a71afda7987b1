import { expect, test } from 'vitest';
import { offered, standing } from './onItsWay';
import type { Download, ServiceModel } from './onItsWay';

const download: Download = { state: 'downloading', size_bytes: 1000, bytes: 629, hashed_bytes: 10, seconds_left: 540 };
const model = (name: string, more: Partial<ServiceModel> = {}): ServiceModel => ({
  name,
  here: null,
  download: null,
  ...more,
});

test('a download is told by its share and the time left', () => {
  expect(standing(download)).toEqual({ percent: 62, words: '62%, about 9 min left' });
  expect(standing({ ...download, seconds_left: null }).words).toBe('62%, downloading');
});

test('what stands still says so, and what is verified counts what was verified', () => {
  expect(standing({ ...download, state: 'paused' }).words).toBe('62%, paused');
  expect(standing({ ...download, state: 'failed' }).words).toBe('62%, stopped: see the download');
  expect(standing({ ...download, state: 'verifying' }).words).toBe('1%, verified');
});

test('before the size is known there is no share', () => {
  expect(standing({ ...download, state: 'preflight', size_bytes: null })).toEqual({ percent: null, words: 'starting' });
});

test('the model on its way is the one that is told of', () => {
  expect(offered([model('svc-slm'), model('svc-llm')])?.name).toBe('svc-llm');
  expect(offered([model('svc-slm', { download }), model('svc-llm')])?.name).toBe('svc-slm');
  expect(offered([])).toBeUndefined();
});
