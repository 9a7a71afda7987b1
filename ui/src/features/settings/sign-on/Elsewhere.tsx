import { ExternalLink } from 'lucide-react';
import { useInstanceInFront } from '@/api';
import { hostOf } from '@/shared/place';

/** Where a test sign-in of a remote instance is done: the provider sends the browser to that instance, which needs a session there. */
export function Elsewhere() {
  const front = useInstanceInFront();
  if (!front) return null;
  return (
    <div className="note info">
      <div className="stack tight">
        <div className="t">A test of {front.name} is done in a browser</div>
        <div className="muted">
          The provider sends the browser back to {hostOf(front.address)}. Sign in there, open this page, and press Test
          sign-in. Unsaved values of this page are not part of it.
        </div>
        <a className="btn sm" href={`${front.address}/settings/single-sign-on`} target="_blank" rel="noreferrer">
          <ExternalLink className="i s" />
          Open {hostOf(front.address)}
        </a>
      </div>
    </div>
  );
}
