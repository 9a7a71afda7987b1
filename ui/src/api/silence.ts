import { host } from '@/host';
import { ApiError } from './error';

/** The service did not answer at all: in the window it is the window's own. */
export function noAnswer(path: string): ApiError {
  const remedy =
    host.kind === 'desktop'
      ? 'Close Quarterdeck and start it again.'
      : 'Check that quarterdeck-server is running, then try again.';
  return new ApiError('offline', `The service does not answer. ${remedy}`, 0, path);
}
