import { host } from '@/host';
import { instanceInFront } from '@/shared/place';

/** Whether this is the window on the data of this computer: whoever installed it may have no other program of ours. */
export function isOwnWindow(): boolean {
  return host.kind === 'desktop' && instanceInFront === null;
}
