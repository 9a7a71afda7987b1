import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { watchBucket, watchedKey } from '@/api';
import type { ApiError, BucketKind, NewBucket, Rest } from '@/api';
import { Button, Dialog, Field, Form, Segmented, Status, toast } from '@/shared';
import { bucketWords as words } from './words';

const empty: NewBucket = { address: '', endpoint: '', region: '', identity: '', secret: '', every_seconds: 3600 };

/** The fields of the form used for this kind of bucket; values typed for another kind are dropped. */
export function typedFor(kind: BucketKind, typed: NewBucket): NewBucket {
  return kind === 's3' ? typed : { ...typed, endpoint: '', region: '', identity: '' };
}

/** Requests location and credentials of a bucket. */
export function BucketDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [kind, setKind] = useState<BucketKind>('s3');
  const [typed, setTyped] = useState(empty);
  const set = (change: Partial<NewBucket>) => {
    setTyped({ ...typed, ...change });
  };
  const add = useMutation<Rest.AddedBucket, ApiError, NewBucket>({
    mutationFn: watchBucket,
    onSuccess: ({ files }) => {
      toast({ tone: 'ok', text: words.added(files) });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: watchedKey }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      help={words.help}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form="watch-bucket"
            disabled={typed.address.trim() === ''}
            busy={add.isPending && words.adding}
          >
            {words.add}
          </Button>
        </>
      }
    >
      <Form
        id="watch-bucket"
        className="stack"
        onSubmit={() => {
          add.mutate(typedFor(kind, typed));
        }}
      >
        <Segmented
          label={words.kind}
          value={kind}
          options={words.kinds.map((one) => ({ ...one }))}
          onChange={(value) => {
            setKind(value as BucketKind);
            set({ secret: '' });
            add.reset();
          }}
        />
        <Field label={words.address} help={words.addressHelp}>
          {(control) => (
            <input
              {...control}
              className="in mono"
              autoFocus
              spellCheck={false}
              value={typed.address}
              placeholder={words.examples[kind]}
              onChange={(event) => {
                set({ address: event.target.value });
              }}
            />
          )}
        </Field>
        {kind === 's3' && <Place typed={typed} set={set} />}
        <Secret kind={kind} typed={typed} set={set} />
        <Field label={words.every}>
          {(control) => (
            <select
              {...control}
              className="sel"
              value={typed.every_seconds}
              onChange={(event) => {
                set({ every_seconds: Number(event.target.value) });
              }}
            >
              {words.intervals.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {add.error && (
          <p role="alert">
            <Status tone="bad">{add.error.message}</Status>
          </p>
        )}
      </Form>
    </Dialog>
  );
}

interface Part {
  typed: NewBucket;
  set: (change: Partial<NewBucket>) => void;
}

/** Where a service answers that speaks S3. */
function Place({ typed, set }: Part) {
  return (
    <>
      <Field label={words.region}>
        {(control) => (
          <input
            {...control}
            className="in mono"
            spellCheck={false}
            value={typed.region}
            placeholder="eu-central-1"
            onChange={(event) => {
              set({ region: event.target.value });
            }}
          />
        )}
      </Field>
      <Field label={words.endpoint} help={words.endpointHelp}>
        {(control) => (
          <input
            {...control}
            className="in mono"
            spellCheck={false}
            value={typed.endpoint}
            placeholder="https://minio.example.com:9000"
            onChange={(event) => {
              set({ endpoint: event.target.value });
            }}
          />
        )}
      </Field>
    </>
  );
}

function Secret({ kind, typed, set }: Part & { kind: BucketKind }) {
  const onChange = (event: { target: { value: string } }) => {
    set({ secret: event.target.value });
  };
  return (
    <>
      {kind === 's3' && (
        <Field label={words.identity}>
          {(control) => (
            <input
              {...control}
              className="in mono"
              autoComplete="off"
              spellCheck={false}
              value={typed.identity}
              onChange={(event) => {
                set({ identity: event.target.value });
              }}
            />
          )}
        </Field>
      )}
      <Field label={words.secret[kind]} help={`${words.rights[kind]} ${words.secretHelp}`}>
        {(control) =>
          kind === 'google' ? (
            <textarea
              {...control}
              className="in mono"
              rows={4}
              spellCheck={false}
              value={typed.secret}
              onChange={onChange}
            />
          ) : (
            <input
              {...control}
              className="in mono"
              type="password"
              autoComplete="off"
              value={typed.secret}
              onChange={onChange}
            />
          )
        }
      </Field>
    </>
  );
}
