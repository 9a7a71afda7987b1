import { useGraphQL } from '@/api';
import { compareNames } from '@/shared';
import type { FilterField } from '@/shared';
import { EventAccounts, EventPeople, FilterValues } from './queries';
import { sourceName } from './row';
import type { FieldName } from './search';
import { fieldNames } from './search';
import { fieldLabels, triage } from './words';
import { nobody } from './where';

interface Value {
  value: string;
  label: string;
}

const severities: Value[] = ['High', 'Medium', 'Low', 'Info', 'Debug'].map((label) => ({
  value: label.toUpperCase(),
  label,
}));
const priorities: Value[] = ['P0', 'P1', 'P2', 'P3'].map((value) => ({ value, label: value }));
const statuses: Value[] = Object.entries(triage).map(([value, { name }]) => ({ value, label: name }));

/** The API names of the values of a field. */
const kinds: Partial<Record<FieldName, string>> = {
  source: 'source',
  cluster: 'cluster',
  namespace: 'namespace',
  workload: 'workload',
  subject: 'subject_type',
  kind: 'aggregation_key',
};

/** The fields of the filter bar; values that depend on the events there are, are read when the page is there. */
export function useFilterFields(enabled: boolean): FilterField[] {
  const found = useGraphQL(FilterValues, {}, { enabled });
  const accounts = useGraphQL(EventAccounts, {}, { enabled });
  const people = useGraphQL(EventPeople, {}, { enabled });
  const fixed: Partial<Record<FieldName, Value[] | undefined>> = {
    severity: severities,
    priority: priorities,
    triage: statuses,
    owner: people.data && [
      { value: nobody, label: 'Nobody' },
      ...people.data.users.map(({ id, display_name: name }) => ({ value: id, label: name })),
    ],
    account: accounts.data?.cloud_accounts.map(({ id, account_name: name }) => ({ value: id, label: name })),
  };
  const values = (field: FieldName): Value[] | undefined => {
    if (field in fixed) return fixed[field];
    const all = found.data?.event_get_filter_values?.filters.find(({ filter_type: type }) => type === kinds[field]);
    return all?.values
      .map(({ value }) => ({ value, label: field === 'source' ? sourceName(value) : value }))
      .sort((a, b) => compareNames(a.label, b.label));
  };
  return fieldNames.map((id) => ({
    id,
    label: fieldLabels[id],
    useValues: () => ({
      values: values(id),
      error: (id === 'account' ? accounts : id === 'owner' ? people : found).error,
    }),
  }));
}
