import { useState } from 'react';
import { takesDrops } from '@/host';
import { FileDrop, Panel, Status, bytes, toast } from '@/shared';
import { useImportModel } from './queries';
import type { Model } from './types';
import { modelOfFile, percent } from './wording';

/** Adds models from files, with the file that contains their hash. */
export function FromFile({ known }: { known: Model[] }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState<{ name: string; sent: number; size: number } | null>(null);
  const take = useImportModel();
  const add = async (files: File[]) => {
    setProblem(null);
    const models = files.filter((file) => !file.name.endsWith('.sha256'));
    if (models.length === 0) {
      setProblem('Choose the model file as well, not only its .sha256 file.');
      return;
    }
    for (const file of models) {
      const name = modelOfFile(file.name);
      const beside = files.find((other) => [`${file.name}.sha256`, `${name}.sha256`].includes(other.name));
      const sha256 = beside ? await beside.text() : null;
      const progress = (sent: number) => {
        setSending({ name, sent, size: file.size });
      };
      progress(0);
      try {
        await take.mutateAsync({ name, file, sha256, progress });
        toast({ tone: 'ok', text: `Added ${name}` });
      } catch (error) {
        setProblem(`${file.name}: ${(error as Error).message}`);
      }
      setSending(null);
    }
  };
  const names = known.map((model) => model.name).join(', ');
  return (
    <Panel title="Without a network" padded>
      <FileDrop look="stacked" label="Model files" multiple onFiles={(files) => void add(files)}>
        {(choose) => (
          <>
            <b>{takesDrops ? 'Drop a model file here' : 'Add a model file'}</b>
            <span className="small muted">
              with its <code>.sha256</code> file, or{' '}
              <button type="button" className="bare textlink" onClick={choose}>
                choose files
              </button>
            </span>
          </>
        )}
      </FileDrop>
      {sending && (
        <p className="small num" role="status">
          Adding {sending.name}: {bytes(sending.sent)}, {percent(sending.sent, sending.size)}%
        </p>
      )}
      {problem && (
        <div role="alert" className="refusal">
          <Status tone="bad">{problem}</Status>
        </div>
      )}
      <p className="help">
        Download or export on a connected computer, carry both files over, {takesDrops ? 'drop' : 'choose'} them here.
        They are verified in the same way. Name the file after its model, such as {names}.
      </p>
    </Panel>
  );
}
