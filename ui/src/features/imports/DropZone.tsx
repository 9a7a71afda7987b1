import { FileUp } from 'lucide-react';
import { chooseFiles, useSampleInFront, useWindow } from '@/api';
import { Button, FileDrop, Keys, toast, useCommands } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { useStore } from '@/shared/store';
import { dragged } from './drop';
import { useReadOnly } from './readOnly';
import { filesToPlace } from './whereTo';
import { invitation } from './wording';
import { works } from './works';

/** Target for files: drop them anywhere, or choose them. */
export function DropZone() {
  const files = useStore(dragged);
  const reason = useReadOnly();
  const isSample = useSampleInFront() !== undefined;
  // Files from the window's own dialog are handled by the window and do not end with the page.
  const isNative = useWindow().data !== undefined && !instanceInFront;
  return (
    <FileDrop
      look="broad"
      label="Files to import"
      multiple
      over={files !== null}
      disabled={reason !== undefined}
      onFiles={(chosen) => {
        if (isSample) filesToPlace.set({ kind: 'files', files: chosen });
        else works.add(chosen);
      }}
    >
      {(choose) => (
        <>
          <FileUp className="i l" />
          <div className="grow">
            <b>{reason ?? invitation(files)}</b>
            <p className="muted small">
              Bills of AWS, Azure and Google Cloud or in FOCUS, cluster dumps, scanner reports, alerts and logs; see the
              full list below. Files stay on this computer.
            </p>
          </div>
          <Choose reason={reason} choose={isNative ? chooseHere : choose} />
        </>
      )}
    </FileDrop>
  );
}

function chooseHere(): void {
  chooseFiles().catch((error: unknown) => {
    toast({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
  });
}

function Choose({ reason, choose }: { reason: string | undefined; choose: () => void }) {
  useCommands([
    {
      id: 'choose files',
      title: 'Choose files to import',
      group: 'Do',
      keys: 'mod+o',
      icon: FileUp,
      ...(reason ? { disabled: reason } : {}),
      run: choose,
    },
  ]);
  return (
    <Button kind="primary" reason={reason} onClick={choose}>
      Choose files <Keys keys="mod+o" />
    </Button>
  );
}
