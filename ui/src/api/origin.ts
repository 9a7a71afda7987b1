import { instanceInFront, originHere } from '@/shared/place';
import { useInstanceInFront } from './instances';

/**
 * The origin at which others reach the current instance, such as `https://console.example.com`: its own address if it is remote, never the address of
 * its pages on this computer. Null until it is known.
 */
export function useOriginInFront(): string | null {
  const address = useInstanceInFront()?.address ?? null;
  return instanceInFront === null ? originHere : address;
}
