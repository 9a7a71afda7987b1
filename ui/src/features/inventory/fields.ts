import type { ResultOf } from '@/api';
import { compareNames } from '@/shared';
import type { FilterField } from '@/shared';
import type { ResourceValues } from './queries';
import type { FieldName } from './search';

type All = NonNullable<ResultOf<typeof ResourceValues>['cloud_resources_values']>;

interface Values {
  data: ResultOf<typeof ResourceValues> | undefined;
  error: Error | null;
}

interface Value {
  value: string;
  label: string;
}

/** The value '' means resources without one. */
const plain = (value: string): Value => ({ value, label: value === '' ? 'None' : value });

const fields: Record<FieldName, { label: string; of: (all: All) => Value[] }> = {
  account: { label: 'Account', of: (all) => all.accounts.map(({ id, name }) => ({ value: id, label: name ?? id })) },
  service: { label: 'Service', of: (all) => all.services.map(plain) },
  type: { label: 'Type', of: (all) => all.types.map(plain) },
  region: { label: 'Region', of: (all) => all.regions.map(plain) },
  status: { label: 'Status', of: (all) => all.statuses.map(plain) },
};

/** The fields of the filter bar, each with the values that resources have. */
export function filterFields({ data, error }: Values): FilterField[] {
  return Object.entries(fields).map(([id, { label, of }]) => {
    const all = data?.cloud_resources_values;
    const values = all ? of(all).sort((a, b) => compareNames(a.label, b.label)) : undefined;
    return { id, label, useValues: () => ({ values, error }) };
  });
}
