import { FileUp } from 'lucide-react';
import { Button, FileDrop, Keys, useCommands } from '@/shared';
import { useStore } from '@/shared/store';
import { dragged } from './drop';
import { useReadOnly } from './readOnly';
import { invitation } from './wording';
import { works } from './works';

/** Where files come in: by dropping them anywhere, or by choosing them. */
export function DropZone() {
  const files = useStore(dragged);
  const reason = useReadOnly();
  return (
    <FileDrop
      look="broad"
      label="Files to import"
      multiple
      over={files !== null}
      disabled={reason !== undefined}
      onFiles={(chosen) => {
        works.add(chosen);
      }}
    >
      {(choose) => (
        <>
          <FileUp className="i l" />
          <div className="grow">
            <b>{reason ?? invitation(files)}</b>
            <p className="muted small">
              Costs: FOCUS 1.0 to 1.4 as CSV or CSV.gz, from any provider. Recommendations: AWS Compute Optimizer for
              EC2 and EBS, as CSV. Nothing is sent on from here.
            </p>
          </div>
          <Choose reason={reason} choose={choose} />
        </>
      )}
    </FileDrop>
  );
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
