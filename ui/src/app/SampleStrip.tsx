import { useMutation } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { useSample, useSession, useTenants } from '@/api';
import type { ApiError } from '@/api';
import { Button } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { removeSampleFrom } from './tenants';

/** Says that what the page shows is sample data, and removes it. */
export function SampleStrip() {
  const shown = useSession().data?.tenant.id;
  // Whoever is in it has another tenant, too.
  const hasSeveral = useTenants().length > 0;
  const sample = useSample(instanceInFront === null && hasSeveral).data;
  const remove = useMutation<void, ApiError, string>({ mutationFn: removeSampleFrom });
  if (!sample?.home || sample.tenant !== shown) return null;
  const { home } = sample;
  return (
    <div className="away" role="status">
      <Table2 className="i" />
      <span className="grow">
        <b>Sample data: none of this is yours</b>
        {remove.error && ` · ${remove.error.message}`}
      </span>
      <Button
        size="small"
        busy={remove.isPending && 'Removing'}
        onClick={() => {
          remove.mutate(home);
        }}
      >
        Remove sample data
      </Button>
    </div>
  );
}
