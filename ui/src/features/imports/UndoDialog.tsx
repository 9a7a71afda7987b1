import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { previewUndo, readImport, undoImport } from '@/api';
import type { ApiError, Rest, UndoPreview } from '@/api';
import { Button, Check, Content, Dialog, Status, count, dateTime, plural, toast, useNow } from '@/shared';
import { BeforeAfter } from './Sums';
import { periodName } from './sums';
import { works } from './works';

/** Previews the undo of an import, asks about later imports that depend on it, and undoes it. */
export function UndoDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const client = useQueryClient();
  const [agreed, setAgreed] = useState<string | null>(null);
  const preview = useQuery<UndoPreview, ApiError>({
    queryKey: ['import', id, 'undo'],
    queryFn: ({ signal }) => previewUndo(id, signal),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const later = preview.data?.imports.filter((one) => one.id !== id) ?? [];
  // The confirmation covers these imports; if others depend on it meanwhile, it is requested again.
  const asked = later.map((one) => one.id).join(' ');
  const isAgreed = later.length === 0 || agreed === asked;
  const undo = useMutation<Rest.UndoneImports, ApiError>({
    mutationFn: () =>
      undoImport(
        id,
        later.map((one) => one.id),
      ),
    onSuccess: ({ undone }) => {
      const others = undone.length - 1;
      const what = others > 0 ? `${name} and ${plural(others, 'later import')}` : name;
      toast({ tone: 'ok', text: `Undone: ${what}` });
      for (const one of undone) void readImport(one).then(works.renew, () => undefined);
      onClose();
      void client.invalidateQueries({ queryKey: ['import'] });
      void client.invalidateQueries({ queryKey: ['graphql'] });
    },
    onError: (error) => {
      if (error.status === 409) void preview.refetch();
    },
  });
  const total = later.length + 1;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Undo the import of ${name}?`}
      help="The data it imported is removed, and the data it replaced is restored. The import stays in the list as undone."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="destructive"
            reason={isAgreed ? undefined : 'Later imports depend on this one: agree to undo them first'}
            disabled={!preview.data}
            busy={undo.isPending && 'Undoing'}
            onClick={() => {
              undo.mutate();
            }}
          >
            {total > 1 ? `Undo ${count(total)} imports` : 'Undo import'}
          </Button>
        </>
      }
    >
      <div className="stack undo">
        <Content of={preview} what="The changes could not be read" lines={3}>
          {(found) => (
            <>
              <Totals preview={found} />
              <p>{goes(found)}</p>
              {later.length > 0 && (
                <LaterImports
                  later={later}
                  isAgreed={isAgreed}
                  onAgree={(agrees) => {
                    setAgreed(agrees ? asked : null);
                  }}
                />
              )}
            </>
          )}
        </Content>
        {undo.error && (
          <p role="alert">
            <Status tone="bad">{undo.error.message}</Status>
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Totals({ preview }: { preview: UndoPreview }) {
  if (preview.totals.length === 0) return <p className="muted">No stored cost changes.</p>;
  const several = new Set(preview.totals.map(({ currency }) => currency)).size > 1;
  return (
    <div className="tw" tabIndex={0} role="group" aria-label="Stored costs before and after">
      <table className="tbl compact">
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col">Account</th>
            <th scope="col" className="n">
              Now
            </th>
            <th scope="col" className="n">
              After
            </th>
            <th scope="col" className="n">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {preview.totals.map((total) => (
            <tr key={`${total.period} ${total.account_name} ${total.currency}`}>
              <td>{periodName(total.period)}</td>
              <td>{total.account_name}</td>
              <BeforeAfter {...total} several={several} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** "12 rows are removed, and with them 1 account and 3 resources that only this import contains." */
function goes(preview: UndoPreview): string {
  const rows = `${plural(preview.rows, 'row')} ${preview.rows === 1 ? 'is' : 'are'} removed`;
  const others = [
    preview.accounts > 0 && plural(preview.accounts, 'account'),
    preview.resources > 0 && plural(preview.resources, 'resource'),
    preview.tag_keys > 0 && plural(preview.tag_keys, 'tag key'),
  ].filter((one) => one !== false);
  if (others.length === 0) return `${rows}.`;
  const last = others.pop() ?? '';
  return `${rows}, and with them ${others.length > 0 ? `${others.join(', ')} and ${last}` : last} that only this import contains.`;
}

function LaterImports({
  later,
  isAgreed,
  onAgree,
}: {
  later: UndoPreview['imports'];
  isAgreed: boolean;
  onAgree: (agrees: boolean) => void;
}) {
  const now = useNow();
  const many = later.length > 1;
  return (
    <div className="note warn">
      <div className="t stack tight">
        <b>
          {many ? `${count(later.length)} later imports depend on this one` : 'A later import depends on this one'}, so{' '}
          {many ? 'they are' : 'it is'} undone first
        </b>
        <ul aria-label="Later imports">
          {later.map((one) => (
            <li key={one.id}>
              <span className="mono">{one.file_name}</span>{' '}
              <span className="muted num">{dateTime(one.created_at, now)}</span>
            </li>
          ))}
        </ul>
        <Check label={many ? 'Undo them too' : 'Undo it too'} checked={isAgreed} onChange={onAgree} />
      </div>
    </div>
  );
}
