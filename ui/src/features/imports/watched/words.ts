/** Texts about watched folders. */
export const watchedWords = {
  title: 'Watched folders and buckets',
  none: 'Import new bills automatically from a folder or from a bucket that your provider exports to.',
  help: 'New and changed files are imported automatically once they stop changing. Importing the same file twice changes nothing.',
  watching: 'Watching',
  never: 'not yet',
  atOnce: 'at once',
  looks: (last: string, next: string, taken: number) =>
    `Last look ${last}, next look ${next}. ${String(taken)} ${taken === 1 ? 'file' : 'files'} taken so far.`,
  askedBy: {
    setting: 'The settings of the server name it (watched_folder).',
    command: 'A command watches it (import --watch).',
  },
  look: 'Look now',
  forget: 'Stop watching',
  path: 'Folder of this computer',
  example: '/home/ana/bills',
  watch: 'Watch folder',
  browse: 'Choose folder',
  credentialsOfService: 'With the credentials in the environment of the service.',
  addBucket: 'Watch a bucket',
};

/** Texts of the dialog that adds a bucket. */
export const bucketWords = {
  title: 'Watch a bucket',
  help: 'Existing objects are listed once now. New ones are imported automatically; nothing is written to the bucket.',
  kind: 'Kept by',
  kinds: [
    { value: 's3', label: 'S3' },
    { value: 'azure', label: 'Azure Blob' },
    { value: 'google', label: 'Google Cloud' },
  ] as const,
  address: 'Address',
  addressHelp: 'The folder that the export writes to: a narrow one keeps lists short.',
  examples: {
    s3: 's3://acme-bills/cur/acme',
    azure: 'https://acme.blob.core.windows.net/exports/daily',
    google: 'gs://acme-bills/focus',
  },
  region: 'Region',
  endpoint: 'Endpoint',
  endpointHelp: 'Only for services that speak S3, such as MinIO.',
  identity: 'Access key ID',
  secret: {
    s3: 'Secret access key',
    azure: 'SAS token or account key',
    google: 'Key file of a service account (JSON)',
  },
  secretHelp:
    'It is sealed and never shown again. Left empty, the credentials in the environment of the service count.',
  rights: {
    s3: 'It needs s3:ListBucket on the bucket and s3:GetObject on its objects.',
    azure: 'A SAS token needs the permissions Read and List for the container.',
    google: 'The service account needs the role Storage Object Viewer for the bucket.',
  },
  every: 'Look every',
  intervals: [
    { value: 900, label: '15 minutes' },
    { value: 3600, label: '1 hour' },
    { value: 21_600, label: '6 hours' },
    { value: 86_400, label: '1 day' },
  ],
  add: 'Watch the bucket',
  adding: 'Listing its objects',
  added: (files: number) =>
    files === 0
      ? 'The bucket is watched. Nothing is in that folder yet.'
      : `The bucket is watched. ${String(files)} ${files === 1 ? 'object' : 'objects'} found.`,
};
