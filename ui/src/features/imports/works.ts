import { cancelImport, upload } from '@/api';
import { createWorks } from './work';

/** The files of this window. */
export const works = createWorks({ upload, cancel: cancelImport }, () => performance.now());
