import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listingRows, useGraphQL } from '@/api';
import type { ApiError } from '@/api';
import { money } from '@/shared';
import type { FilterField } from '@/shared';
import { namesOf, plainDimensions, tagKey, virtualKey } from './dimension';
import type { Dimension } from './dimension';
import type { Group } from './group';
import { loadGroups } from './load';
import type { Ask } from './load';
import { TagKeys, VirtualTagNames } from './queries';

/** The tag keys of imported charges. */
export function useTagKeys(): string[] {
  const answer = useGraphQL(TagKeys, {}).data?.spend_tag_keys_v2;
  return useMemo(() => listingRows(answer).flatMap(({ key }) => key ?? []), [answer]);
}

/** The name of a dimension; virtual tags have their display name. */
export function useDimensionTitle(): (dimension: Dimension) => string {
  // Users without access to virtual tags see their keys.
  const tags = useGraphQL(VirtualTagNames, {}).data?.virtual_tag;
  return useMemo(() => {
    const names = new Map(tags?.map(({ key, name }) => [key, name]));
    return (dimension) => namesOf(dimension, names.get(virtualKey(dimension) ?? '')).title;
  }, [tags]);
}

/** All filter fields of charges, with their values and the cost of each value under the other filters. */
export function useFilterFields(ask: Ask, currency: string | null, several: boolean): FilterField[] {
  const keys = useTagKeys();
  const titleOf = useDimensionTitle();
  return useMemo(() => {
    const all: Dimension[] = [...plainDimensions, ...keys.map((key): Dimension => `tag:${key}`)];
    return all.map((by) => ({
      id: by,
      label: titleOf(by),
      useValues: (enabled) => {
        const { range, metric } = ask;
        const filters = ask.filters.filter((filter) => filter.field !== by);
        const answer = useQuery<Group[], ApiError>({
          queryKey: ['graphql', 'costs', 'values', { range, metric, filters, currency, by }],
          queryFn: ({ signal }) => loadGroups({ range, before: null, metric, filters }, currency, by, [], signal),
          enabled,
        });
        const absent = tagKey(by) === null ? 'not stated' : 'absent';
        const values = answer.data?.map(({ key, label, exact, value }) => ({
          value: key,
          label: key === '' ? absent : exact === null ? label : `${label} · ${exact}`,
          hint: money(value, currency, { several }),
        }));
        return { values, error: answer.error };
      },
    }));
  }, [ask, currency, keys, several, titleOf]);
}
