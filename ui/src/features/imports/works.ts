import { cancelImport, closeBatch, upload } from '@/api';
import { pathOf } from './drop';
import { newId } from './newId';
import { createWorks } from './work';

/** The files of this window. */
export const works = createWorks(
  {
    upload: (file, batch, progress, signal) => upload(file, pathOf(file), batch, progress, signal),
    closeBatch,
    cancel: cancelImport,
  },
  () => performance.now(),
  newId,
);
