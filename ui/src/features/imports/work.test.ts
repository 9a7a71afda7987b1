import { expect, test } from 'vitest';
import { ApiError } from '@/api';
import type { ImportReport, ImportStatus, UploadBatch } from '@/api';
import { createWorks } from './work';

/** A service that answers when the test says so. */
function service() {
  const sent: {
    name: string;
    batch: UploadBatch | null;
    signal: AbortSignal;
    progress: (sent: number) => void;
    answer: (id: string) => void;
  }[] = [];
  const cancelled: string[] = [];
  const closed: UploadBatch[] = [];
  let refusal: ApiError | null = null;
  const works = createWorks(
    {
      upload: (file, batch, progress, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new ApiError('cancelled', 'Stopped. Nothing was imported.', 0, '/api/imports'));
          });
          sent.push({ name: file.name, batch, signal, progress, answer: resolve });
        }),
      closeBatch: (batch) => {
        closed.push(batch);
        return Promise.resolve(null);
      },
      cancel: (id) => {
        cancelled.push(id);
        return refusal ? Promise.reject(refusal) : Promise.resolve(null);
      },
    },
    () => clock.now,
    () => 'drop',
  );
  const clock = { now: 0 };
  return {
    works,
    sent,
    cancelled,
    closed,
    clock,
    refuse: (error: ApiError) => {
      refusal = error;
    },
    phases: () => works.store.get().map((work) => work.phase),
    settled: () => new Promise((resolve) => setTimeout(resolve)),
  };
}

const file = (name: string) => new File(['a,b\n1,2\n'], name);

function status(id: string, state: ImportStatus['state'], bytes = 0): ImportStatus {
  const running = state === 'running' || state === 'waiting';
  const progress = running ? { bytes_read: bytes, bytes_total: 8, rows_read: bytes } : null;
  const report = running ? null : ({ state } as ImportReport);
  return { id, file_name: 'a.csv', size_bytes: 8, state, progress, report };
}

test('files are sent one after another and then wait for their import', async () => {
  const { works, sent, phases, settled } = service();
  works.add([file('a.csv'), file('b.csv')]);
  expect(phases()).toEqual(['sending', 'queued']);
  sent[0]?.answer('1');
  await settled();
  expect(phases()).toEqual(['waiting', 'sending']);
  expect(sent.map(({ name }) => name)).toEqual(['a.csv', 'b.csv']);
});

test('an import is followed until it ends, with the time that is left', async () => {
  const { works, sent, clock, settled } = service();
  works.add([file('a.csv')]);
  sent[0]?.answer('1');
  await settled();
  works.heard(status('1', 'running', 0));
  clock.now = 4000;
  expect(works.heard(status('1', 'running', 2))).toBe(false);
  expect(works.store.get()[0]).toMatchObject({ phase: 'running', left: 12, read: { bytes: 2, rows: 2 } });
  expect(works.heard(status('1', 'done'))).toBe(true);
  expect(works.heard(status('1', 'done'))).toBe(false);
});

test('stopping a file that is being sent ends the sending and begins the next', async () => {
  const { works, sent, phases, settled } = service();
  works.add([file('a.csv'), file('b.csv')]);
  await works.stop(works.store.get()[0]?.key ?? '');
  await settled();
  expect(sent[0]?.signal.aborted).toBe(true);
  expect(phases()).toEqual(['stopped', 'sending']);
});

test('stopping an import asks the service, and goes on listening when it had ended already', async () => {
  const { works, cancelled, refuse, phases } = service();
  works.takeUp([{ id: '1', name: 'a.csv', size: 8 }]);
  refuse(new ApiError('finished', 'This import has ended', 409, '/api/imports/1'));
  await works.stop(works.store.get()[0]?.key ?? '');
  expect(cancelled).toEqual(['1']);
  expect(phases()).toEqual(['waiting']);
  expect(works.heard(status('1', 'done'))).toBe(true);
});

test('a file the service would not take can be tried again', async () => {
  const { works, sent, phases, settled } = service();
  const failing = createWorks(
    {
      upload: () => Promise.reject(new ApiError('offline', 'The connection was lost', 0, '/api/imports')),
      closeBatch: () => Promise.resolve(),
      cancel: () => Promise.resolve(),
    },
    () => 0,
    () => 'drop',
  );
  failing.add([file('a.csv')]);
  await settled();
  expect(failing.store.get()[0]).toMatchObject({ phase: 'refused', trouble: 'The connection was lost' });
  failing.retry(failing.store.get()[0]?.key ?? '');
  expect(failing.store.get()[0]?.phase).toBe('sending');
  // Another window's list is not touched.
  works.add([file('b.csv')]);
  expect([sent.length, phases()]).toEqual([1, ['sending']]);
});

test('an import known from the list of the service is not listed twice when its upload answers', async () => {
  const { works, sent, settled } = service();
  works.add([file('a.csv')]);
  works.takeUp([{ id: '1', name: 'a.csv', size: 8 }]);
  sent[0]?.answer('1');
  await settled();
  works.takeUp([{ id: '1', name: 'a.csv', size: 8 }]);
  expect(works.store.get().map((work) => work.id)).toEqual(['1']);
});

test('an import that is gone was stopped elsewhere; without an answer it stays', () => {
  const { works, phases } = service();
  works.takeUp([{ id: '1', name: 'a.csv', size: 8 }]);
  works.missed('1', new ApiError('offline', 'The service does not answer.', 0, ''));
  expect(works.store.get()[0]).toMatchObject({
    phase: 'waiting',
    trouble: 'Continues when the service is back',
  });
  works.missed('1', new ApiError('not_found', 'There is no such import', 404, ''));
  expect(phases()).toEqual(['stopped']);
});

test('clearing keeps what is on its way', async () => {
  const { works, sent, phases, settled } = service();
  works.add([file('a.csv'), file('b.csv')]);
  sent[0]?.answer('1');
  await settled();
  works.heard(status('1', 'failed'));
  works.clear();
  expect(phases()).toEqual(['sending']);
});

test('the files of one drop are one batch; a file that comes alone is none', async () => {
  const { works, sent, settled } = service();
  works.add([file('a.csv'), file('b.csv')]);
  sent[0]?.answer('1');
  await settled();
  sent[1]?.answer('2');
  await settled();
  works.add([file('c.csv')]);
  const batch = { id: 'drop', files: 2 };
  expect(sent.map((one) => one.batch)).toEqual([batch, batch, null]);
  expect(works.store.get().map((work) => work.drop)).toEqual(['drop', 'drop', null]);
});

test('a file of a drop that is stopped does not hold the others back', async () => {
  const { works, sent, closed, settled } = service();
  works.add([file('a.csv'), file('b.csv'), file('c.csv')]);
  sent[0]?.answer('1');
  await settled();
  await works.stop(works.store.get()[1]?.key ?? '');
  await settled();
  expect(closed).toEqual([]);
  sent[2]?.answer('3');
  await settled();
  expect(closed).toEqual([{ id: 'drop', files: 2 }]);
});

test('a file of a drop that was refused comes alone when it is tried again', async () => {
  const batches: (UploadBatch | null)[] = [];
  const closed: UploadBatch[] = [];
  const works = createWorks(
    {
      upload: (one, batch) => {
        batches.push(batch);
        if (one.name === 'a.csv') return Promise.resolve('1');
        return Promise.reject(new ApiError('offline', 'The connection was lost', 0, '/api/imports'));
      },
      closeBatch: (batch) => {
        closed.push(batch);
        return Promise.resolve(null);
      },
      cancel: () => Promise.resolve(null),
    },
    () => 0,
    () => 'drop',
  );
  works.add([file('a.csv'), file('b.csv')]);
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
  expect(closed).toEqual([{ id: 'drop', files: 1 }]);
  works.retry(works.store.get()[1]?.key ?? '');
  expect(batches.at(-1)).toBeNull();
});

test('what waits for a decision stays on the list, and runs again once somebody has decided', async () => {
  const { works, sent, phases, settled } = service();
  works.add([file('a.csv')]);
  sent[0]?.answer('1');
  await settled();
  works.heard(status('1', 'needs_decision'));
  works.clear();
  expect(phases()).toEqual(['ended']);
  works.renew(status('1', 'waiting'));
  expect(phases()).toEqual(['waiting']);
  expect(works.heard(status('1', 'done'))).toBe(true);
  works.renew({ ...status('1', 'done'), state: 'undone' });
  expect(works.store.get()[0]?.report?.state).toBe('undone');
});
