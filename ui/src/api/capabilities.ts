import { useQuery } from '@tanstack/react-query';
import { instanceInFront } from '@/shared/place';
import { useIsAway } from './offline';
import type { ApiError } from './error';
import { post } from './http';
import { useInstances } from './instances';
import { actsOutside, useSampleReason } from './sample';
import { aboutOptions, useSession } from './session';

/** What a page or an action requires of a service. */
export interface Needs {
  /** Root fields of the GraphQL interface. */
  fields?: readonly string[];
  /** A part of the rest: the word after `/api/`. */
  area?: string;
}

/** The known features of an instance; undefined means unknown and counts as available. */
export interface Capabilities {
  fields: ReadonlySet<string> | undefined;
  areas: readonly string[] | undefined;
}

const question = '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }';

interface IntrospectionAnswer {
  data?: { __schema: Record<'queryType' | 'mutationType', { fields: { name: string }[] } | null> } | null;
}

/** The first thing of `needs` that is not offered. */
export function lacking(needs: Needs, { fields, areas }: Capabilities): string | undefined {
  if (needs.area !== undefined && areas && !areas.includes(needs.area)) return needs.area;
  return fields && needs.fields?.find((field) => !fields.has(field));
}

/** Why a button or place is disabled: the other version does not support it. */
export function lackingWords(what: string, name: string, there: string, here: string): string {
  return `${name} runs version ${there}, which does not have this (${what}). Version ${here} is on this computer.`;
}

/** Returns why something cannot be changed on the current instance: it is unreachable, shows sample data, or does not support it. */
export function useWhyNot(): (needs?: Needs) => string | undefined {
  const isAway = useIsAway();
  const lack = useLack();
  const sample = useSampleReason();
  return (needs) => {
    if (isAway) return 'The instance cannot be reached. Changes are possible again when it is back';
    return actsOutside(needs?.fields) && sample !== undefined ? sample : lack(needs);
  };
}

/**
 * Tells why something cannot be used because the instance in front runs another version; undefined where it can.
 *
 * An instance of the version of these pages is not asked: it has what they ask for.
 */
export function useLack(): (needs: Needs | undefined) => string | undefined {
  const instances = useInstances().data;
  const session = useSession().data;
  // Cached by the frame, which requests it.
  const about = useQuery({ ...aboutOptions(session), enabled: false }).data;
  const front = instances?.instances.find(({ id }) => id === instanceInFront);
  const here = instances?.here.version;
  const there = about?.version ?? front?.version ?? undefined;
  const isOther = front !== undefined && there !== undefined && here !== undefined && there !== here;
  const fields = useQuery<ReadonlySet<string>, ApiError>({
    queryKey: ['offered', there],
    enabled: isOther,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { data } = await post<IntrospectionAnswer>('/api/graphql', { query: question }, signal);
      const roots = data ? [data.__schema.queryType, data.__schema.mutationType] : [];
      return new Set(roots.flatMap((root) => root?.fields.map(({ name }) => name) ?? []));
    },
  }).data;
  return (needs) => {
    if (!isOther || !needs) return undefined;
    const what = lacking(needs, { fields, areas: about?.areas });
    return what === undefined ? undefined : lackingWords(what, front.name, there, here);
  };
}
