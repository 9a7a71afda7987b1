import { ChevronsUpDown } from 'lucide-react';
import { useEffect } from 'react';
import { useInstanceInFront } from '@/api';
import { hostOf } from '@/shared/place';
import { programName, windowName } from '@/shared/windowName';
import { dialog } from './dialogs';

/** Shows the current remote instance above every page where the window is too narrow for the rail, and in the window title; opens the switcher. */
export function FrontStrip() {
  const front = useInstanceInFront();
  const name = front?.name;
  useEffect(() => {
    windowName.set(name === undefined ? programName : `${name} · ${programName}`);
  }, [name]);
  if (!front) return null;
  return (
    <button
      type="button"
      className={`frontstrip inst-${front.colour}`}
      aria-label={`Switch instance, current: ${front.name}`}
      onClick={() => {
        dialog.set('instances');
      }}
    >
      <b className="cut">{front.name}</b>
      <span className="grow cut">{hostOf(front.address)}</span>
      <ChevronsUpDown className="i s" />
    </button>
  );
}
