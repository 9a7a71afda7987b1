import { TriangleAlert } from 'lucide-react';
import { useOriginInFront } from '@/api';
import { Button, CopyCommand } from '@/shared';

/** The address and the secret of a webhook, in place and once; they go with "I have stored it". */
export function TokenOnce({
  made,
  onClose,
}: {
  made: { id: string; name: string; token: string };
  onClose: () => void;
}) {
  const origin = useOriginInFront();
  const address = `${origin ?? ''}/api/webhooks/workflows/${made.id}`;
  return (
    <div className="wf-scroll stack">
      <h2 className="ttl">{made.name} was saved</h2>
      <p>A POST to this address with the header X-Webhook-Secret starts it while it is active.</p>
      <CopyCommand label="Address" command={address} />
      <CopyCommand label="Secret" command={made.token} />
      <div className="split">
        <span className="st warn wrap">
          <TriangleAlert className="i" />
          The secret cannot be shown again.
        </span>
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </div>
  );
}
