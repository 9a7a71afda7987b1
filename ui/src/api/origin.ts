import { instanceInFront, originHere } from '@/shared/place';
import { useInstanceInFront } from './instances';

/**
 * Where whoever asks the instance in front directly finds it, such as `https://console.example.com`: at its own address when it is elsewhere, and
 * never at the one its pages have on this computer. Null until that address is known.
 */
export function useOriginInFront(): string | null {
  const address = useInstanceInFront()?.address ?? null;
  return instanceInFront === null ? originHere : address;
}
