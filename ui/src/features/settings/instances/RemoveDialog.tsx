import { callHere, useInstanceChange, useInstances } from '@/api';
import type { Instance } from '@/api';
import { Button, Dialog, Status } from '@/shared';
import { instanceInFront } from '@/shared/place';

/** Explains what the removal of an instance deletes. */
export function RemoveDialog({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const remove = useInstanceChange(() => callHere<null>(`/api/instances/${instance.id}`, { method: 'DELETE' }));
  // Without its key this computer cannot sign out there.
  const isLocked = useInstances().data?.file === 'locked' && instance.kept_in === 'file';
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${instance.name}?`}
      help={
        isLocked
          ? 'Deletes the copy on this computer. The key file is locked, so this computer stays on the instance’s list of devices until someone ends it there, or for 30 days. Unlock the file first to sign it out.'
          : 'Signs this computer out there and deletes the copy on this computer. Nothing changes on the instance itself.'
      }
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button
            kind="destructive"
            busy={remove.isPending && 'Removing'}
            onClick={() => {
              remove.mutate(undefined, {
                onSuccess: () => {
                  if (instance.id === instanceInFront) window.location.assign('/settings/instances');
                  else onClose();
                },
              });
            }}
          >
            Remove instance
          </Button>
        </>
      }
    >
      {remove.error && <Status tone="bad">{remove.error.message}</Status>}
    </Dialog>
  );
}
