import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { Suspense, lazy, useEffect, useState } from 'react';
import { loadSample, removeSample, sampleKey, useLack, useSample } from '@/api';
import type { ApiError, SampleData } from '@/api';
import { Button } from '@/shared';
import { tenantSwitch } from '@/shared/tenantSwitch';
import { instanceInFront } from '@/shared/place';

const RemoveSampleDialog = lazy(() =>
  import('./RemoveSampleDialog').then((part) => ({ default: part.RemoveSampleDialog })),
);

/** Loads sample data, for users with permission to do so. */
export function SamplePanel() {
  const lacks = useLack()({ area: 'sample' }) !== undefined;
  const sample = useSample(!lacks && instanceInFront === null).data;
  return sample?.may_change ? <Offer sample={sample} /> : null;
}

function Offer({ sample }: { sample: SampleData }) {
  const client = useQueryClient();
  const [isWanted, setWanted] = useState(false);
  const load = useMutation<SampleData, ApiError>({
    mutationFn: loadSample,
    onSuccess: (now) => {
      setWanted(true);
      client.setQueryData(sampleKey, now);
    },
  });
  const show = useMutation<void, ApiError, string>({ mutationFn: (tenant) => tenantSwitch.get().to(tenant) });
  const [asks, setAsks] = useState(false);
  const remove = useMutation<null, ApiError>({
    mutationFn: removeSample,
    onSuccess: () => {
      setAsks(false);
      return client.invalidateQueries();
    },
  });
  const { tenant, state } = sample;
  const goThere = show.mutate;
  useEffect(() => {
    if (isWanted && state === 'ready' && tenant !== null) goThere(tenant);
  }, [isWanted, state, tenant, goThere]);
  const isLoading = load.isPending || state === 'loading' || (isWanted && state === 'ready' && !show.isError);
  const error = load.error ?? show.error;
  return (
    <section className="panel sample" aria-label="Sample data">
      <Table2 className="i" />
      <div className="grow">
        <h3 className="strong">{isLoading || tenant === null ? 'Just looking?' : titleOf(state)}</h3>
        <p className="muted">
          {isLoading || tenant === null
            ? 'Load a sample data set of 5 accounts, 2 clusters and 6 months. It can be removed again.'
            : state === 'failed'
              ? sample.reason
              : 'It is in a tenant of its own, apart from your data.'}
        </p>
        {error && <p role="alert">{error.message}</p>}
      </div>
      {isLoading || tenant === null ? (
        <Button
          busy={isLoading && 'Loading sample data'}
          onClick={() => {
            load.mutate();
          }}
        >
          Load sample data
        </Button>
      ) : (
        <div className="row">
          {state === 'ready' && (
            <Button
              busy={show.isPending && 'Opening'}
              onClick={() => {
                goThere(tenant);
              }}
            >
              Show it
            </Button>
          )}
          <Button
            onClick={() => {
              setAsks(true);
            }}
          >
            Remove it
          </Button>
        </div>
      )}
      {asks && (
        <Suspense fallback={null}>
          <RemoveSampleDialog
            busy={remove.isPending}
            error={remove.error}
            onRemove={() => {
              remove.mutate();
            }}
            onClose={() => {
              setAsks(false);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

const titleOf = (state: SampleData['state']) =>
  state === 'failed' ? 'Sample data could not be loaded' : 'Sample data is loaded';
