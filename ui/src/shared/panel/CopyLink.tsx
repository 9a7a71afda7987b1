import { Link2 } from 'lucide-react';
import { Button } from '../controls/Button';
import { linkAt } from '../place';
import { toast } from '../toast';

/** Copies the address of the current page for a colleague; disabled while the origin that others use is unknown. */
export function CopyLink({ origin, copy }: { origin: string | null; copy: (text: string) => Promise<unknown> }) {
  return (
    <Button
      size="small"
      kind="quiet"
      iconOnly
      aria-label="Copy link"
      disabled={origin === null}
      onClick={() => {
        if (origin === null) return;
        void copy(linkAt(origin)).then(() => {
          toast({ tone: 'ok', text: 'Copied the link' });
        });
      }}
    >
      <Link2 className="i s" />
    </Button>
  );
}
