import { Button, Dialog, toast } from '@/shared';
import { useRemoveSecret } from './queries';
import type { Secret } from './queries';
import { texts } from './words';

/** Explains what fails without the secret before it is removed. */
export function RemoveDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const remove = useRemoveSecret();
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${secret.name}?`}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            kind="destructive"
            busy={remove.isPending && 'Removing'}
            onClick={() => {
              remove.mutate(secret.name, {
                onSuccess: () => {
                  toast({ tone: 'ok', text: `Removed ${secret.name}` });
                  onClose();
                },
              });
            }}
          >
            Remove secret
          </Button>
        </>
      }
    >
      <p>
        {secret.is_sealed
          ? texts.remove
          : `${secret.name} from the environment of the service is no longer limited to these hosts.`}
      </p>
      {remove.error && <p className="st bad">{remove.error.message}</p>}
    </Dialog>
  );
}
