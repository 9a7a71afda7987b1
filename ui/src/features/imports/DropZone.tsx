import { FileUp } from 'lucide-react';
import { useRef } from 'react';
import { Button, Keys, useCommands } from '@/shared';
import { useStore } from '@/shared/store';
import { dragged } from './drop';
import { useReadOnly } from './readOnly';
import { invitation } from './wording';
import { works } from './works';

/** Where files come in: by dropping them anywhere, or by choosing them. */
export function DropZone() {
  const files = useStore(dragged);
  const reason = useReadOnly();
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
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
    <div className={files === null ? 'dropzone' : 'dropzone over'}>
      <FileUp className="i l" />
      <div className="grow">
        <b>{reason ?? invitation(files)}</b>
        <p className="muted small">
          Costs: FOCUS 1.0 to 1.4 as CSV or CSV.gz, from any provider. Recommendations: AWS Compute Optimizer for EC2
          and EBS, as CSV. Nothing is sent on from here.
        </p>
      </div>
      <input
        ref={input}
        className="sr"
        type="file"
        multiple
        disabled={reason !== undefined}
        tabIndex={-1}
        aria-label="Files to import"
        onChange={(event) => {
          works.add([...(event.target.files ?? [])]);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
      <Button kind="primary" reason={reason} onClick={choose}>
        Choose files <Keys keys="mod+o" />
      </Button>
    </div>
  );
}
