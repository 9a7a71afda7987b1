import type { ResultOf } from '@/api';
import { compareNames } from '@/shared';
import type { FilterField } from '@/shared';
import type { ResourceValues } from './queries';
import type { FieldName } from './search';

interface Values {
  data: ResultOf<typeof ResourceValues> | undefined;
  error: Error | null;
}

interface Value {
  value: string;
  label: string;
}

const plain = (value: string | null): Value => ({ value: value ?? '', label: value ?? 'None' });

const fields: Record<FieldName, { label: string; of: (all: NonNullable<Values['data']>) => Value[] }> = {
  account: {
    label: 'Account',
    of: (all) => all.account.map(({ cloud_account: { id, account_name } }) => ({ value: id, label: account_name })),
  },
  service: { label: 'Service', of: (all) => all.service.map((row) => plain(row.service_name)) },
  type: { label: 'Type', of: (all) => all.type.map((row) => plain(row.type)) },
  region: { label: 'Region', of: (all) => all.region.map((row) => plain(row.region)) },
  status: { label: 'Status', of: (all) => all.status.map((row) => plain(row.status)) },
};

/** The fields of the filter bar, each with the values that resources have. */
export function filterFields({ data, error }: Values): FilterField[] {
  return Object.entries(fields).map(([id, { label, of }]) => {
    const values = data && of(data).sort((a, b) => compareNames(a.label, b.label));
    return { id, label, useValues: () => ({ values, error }) };
  });
}
