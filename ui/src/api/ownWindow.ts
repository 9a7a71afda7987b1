import { host } from '@/host';
import { instanceInFront } from '@/shared/place';

/** Whether this is the desktop window on the data of this computer: its user may have no other program installed. */
export function isOwnWindow(): boolean {
  return host.kind === 'desktop' && instanceInFront === null;
}
