import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { WatchedFolders } from '@/api';
import { drawForTest, serviceForTest } from '../drawForTest';
import { WatchedFolderPanel } from './WatchedFolderPanel';

const folder = {
  id: '1',
  path: 's3://bills/cur',
  bucket: { kind: 's3' as const, endpoint: null, region: null, has_credentials_of_service: true },
  asked_by: 'person' as const,
  every_seconds: 3600,
  last_run_at: '2026-05-01T00:00:00Z',
  next_run_at: null,
  error: null,
  files_taken: 3,
};

function service(state: WatchedFolders, bucket: () => Response = () => Response.json({ id: '2', files: 4 })) {
  return serviceForTest({
    'GET /api/imports/watched': () => Response.json(state),
    'POST /api/imports/watched/buckets': bucket,
    'POST /api/host/choose-folder': () => Response.json({ path: '/home/ana/bills' }),
  });
}

test('a bucket is watched with what was typed for its kind, and nothing of another', async () => {
  const sent = service({ folders: [], may_choose: false, may_add_buckets: true });
  await drawForTest(<WatchedFolderPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Watch a bucket' }));
  await userEvent.type(screen.getByLabelText('Access key ID'), 'AKIA');
  await userEvent.click(screen.getByRole('button', { name: 'Azure Blob' }));
  await userEvent.type(screen.getByLabelText('Address'), 'https://acme.blob.core.windows.net/exports');
  await userEvent.type(screen.getByLabelText('SAS token or account key'), 'sig=abc');
  await userEvent.click(screen.getByRole('button', { name: 'Watch the bucket' }));
  expect(sent.find(({ to }) => to.endsWith('buckets'))?.body).toEqual({
    address: 'https://acme.blob.core.windows.net/exports',
    endpoint: '',
    region: '',
    identity: '',
    secret: 'sig=abc',
    every_seconds: 3600,
  });
});

test('why a bucket was refused stands in the dialog, which stays open', async () => {
  const refusal = { code: 'bad_request', message: 'S3 refuses the credentials for bills' };
  service({ folders: [], may_choose: false, may_add_buckets: true }, () => Response.json(refusal, { status: 400 }));
  await drawForTest(<WatchedFolderPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Watch a bucket' }));
  await userEvent.type(screen.getByLabelText('Address'), 's3://bills');
  await userEvent.click(screen.getByRole('button', { name: 'Watch the bucket' }));
  expect((await screen.findByRole('alert')).textContent).toContain('refuses the credentials');
});

test('whoever may add none sees the buckets there are, and no way to add one', async () => {
  service({ folders: [folder], may_choose: false });
  await drawForTest(<WatchedFolderPanel />);
  expect(await screen.findByText('s3://bills/cur')).toBeTruthy();
  expect(screen.getByText(/credentials in the environment/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Watch a bucket' })).toBeNull();
});

test('in the window, a folder is chosen in the dialog of the system', async () => {
  service({ folders: [], may_choose: true });
  await drawForTest(<WatchedFolderPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Choose folder' }));
  expect(await screen.findByDisplayValue('/home/ana/bills')).toBeTruthy();
});
