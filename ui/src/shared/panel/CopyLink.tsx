import { Link2 } from 'lucide-react';
import { Button } from '../controls/Button';
import { toast } from '../toast';

/** Copies the address of what is shown, which opens the same for a colleague. */
export function CopyLink({ copy }: { copy: (text: string) => Promise<unknown> }) {
  return (
    <Button
      size="small"
      kind="quiet"
      iconOnly
      aria-label="Copy link"
      onClick={() => {
        void copy(window.location.href).then(() => {
          toast({ tone: 'ok', text: 'Copied the link' });
        });
      }}
    >
      <Link2 className="i s" />
    </Button>
  );
}
