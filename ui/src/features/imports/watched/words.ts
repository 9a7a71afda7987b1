/** Texts about watched folders. */
export const watchedWords = {
  title: 'Watched folders and buckets',
  none: 'Import new bills automatically from a folder or from a bucket that your provider exports to.',
  help: 'New and changed files are imported automatically once they stop changing. Importing the same file twice changes nothing.',
  watching: 'Watching',
  never: 'not yet',
  atOnce: 'at once',
  looks: (last: string, next: string, taken: number) =>
    `Last check ${last}, next check ${next}. ${String(taken)} ${taken === 1 ? 'file' : 'files'} imported so far.`,
  askedBy: {
    setting: 'Set in the settings of the server (watched_folder).',
    command: 'Watched by a command (import --watch).',
  },
  look: 'Check now',
  forget: 'Stop watching',
  path: 'Folder on this computer',
  example: '/home/ana/bills',
  watch: 'Watch folder',
  browse: 'Choose folder',
  credentialsOfService: 'Uses the credentials in the environment of the service.',
  addBucket: 'Watch a bucket',
};

/** Texts of the dialog that adds a bucket. */
export const bucketWords = {
  title: 'Watch a bucket',
  help: 'Existing objects are listed once now. New ones are imported automatically; nothing is written to the bucket.',
  kind: 'Provider',
  kinds: [
    { value: 's3', label: 'S3' },
    { value: 'azure', label: 'Azure Blob' },
    { value: 'google', label: 'Google Cloud' },
  ] as const,
  address: 'Address',
  addressHelp: 'The folder that the export writes to. A narrow path keeps listings short.',
  examples: {
    s3: 's3://acme-bills/cur/acme',
    azure: 'https://acme.blob.core.windows.net/exports/daily',
    google: 'gs://acme-bills/focus',
  },
  region: 'Region',
  endpoint: 'Endpoint',
  endpointHelp: 'Only for S3-compatible services, such as MinIO.',
  identity: 'Access key ID',
  secret: {
    s3: 'Secret access key',
    azure: 'SAS token or account key',
    google: 'Key file of a service account (JSON)',
  },
  secretHelp:
    'It is stored encrypted and never shown again. If empty, the credentials in the environment of the service are used.',
  rights: {
    s3: 'It needs s3:ListBucket on the bucket and s3:GetObject on its objects.',
    azure: 'A SAS token needs the permissions Read and List for the container.',
    google: 'The service account needs the role Storage Object Viewer for the bucket.',
  },
  every: 'Check every',
  intervals: [
    { value: 900, label: '15 minutes' },
    { value: 3600, label: '1 hour' },
    { value: 21_600, label: '6 hours' },
    { value: 86_400, label: '1 day' },
  ],
  add: 'Watch the bucket',
  adding: 'Listing objects',
  added: (files: number) =>
    files === 0
      ? 'The bucket is watched. Nothing is in that folder yet.'
      : `The bucket is watched. ${String(files)} ${files === 1 ? 'object' : 'objects'} found.`,
};
