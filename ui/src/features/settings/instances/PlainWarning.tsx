import { ShieldAlert } from 'lucide-react';
import { Button } from '@/shared';

/** What an address without encryption means, in the service's words, and the one way on. */
export function PlainWarning({ message, onAccept }: { message: string; onAccept: () => void }) {
  return (
    <div className="note warn" role="alert">
      <ShieldAlert className="i" />
      <div className="stack tight">
        <div>
          <div className="t">The connection is not encrypted</div>
          {message}
        </div>
        <div>
          <Button onClick={onAccept}>Accept for this address</Button>
        </div>
      </div>
    </div>
  );
}
