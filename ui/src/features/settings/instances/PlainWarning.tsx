import { ShieldAlert } from 'lucide-react';
import { Button } from '@/shared';

/** The service's warning about an unencrypted address, with a button to accept it. */
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
