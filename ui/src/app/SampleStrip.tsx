import { useMutation } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { useSampleInFront } from '@/api';
import type { ApiError } from '@/api';
import { Button } from '@/shared';
import { removeSampleFrom } from './tenants';

const RemoveSampleDialog = lazy(() =>
  import('@/features/overview/RemoveSampleDialog').then((part) => ({ default: part.RemoveSampleDialog })),
);

/** States that the page shows sample data, and removes it after a confirmation that lists its contents. */
export function SampleStrip() {
  const sample = useSampleInFront();
  const [asks, setAsks] = useState(false);
  const remove = useMutation<void, ApiError, string>({ mutationFn: removeSampleFrom });
  if (!sample) return null;
  return (
    <div className="away strip" role="status">
      <Table2 className="i" />
      <b className="grow">You’re viewing sample data</b>
      <Button
        size="small"
        onClick={() => {
          setAsks(true);
        }}
      >
        Remove sample data
      </Button>
      {asks && (
        <Suspense fallback={null}>
          <RemoveSampleDialog
            busy={remove.isPending}
            error={remove.error}
            onRemove={() => {
              remove.mutate(sample.home);
            }}
            onClose={() => {
              setAsks(false);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
