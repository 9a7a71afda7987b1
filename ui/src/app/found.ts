import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Boxes, Cloud, Layers, PiggyBank } from 'lucide-react';
import { useEffect, useState } from 'react';
import { graphql, graphqlOptions, useLack } from '@/api';
import type { ResultOf } from '@/api';
import type { Entry } from './Palette';

/** Rows of one kind that are listed at most. */
const most = 5;
/** Letters from which on rows are looked for. */
const least = 2;
/** Typing is over after so many ms without another letter. */
const pause = 200;

export const Find = graphql(`
  query Find($like: String!, $most: Int!) {
    cloud_accounts(
      where: { _or: [{ account_name: { _ilike: $like } }, { account_number: { _ilike: $like } }] }
      order_by: { account_name: asc }
      limit: $most
    ) {
      id
      account_name
      account_number
    }
    cloud_resourses(
      where: { _or: [{ name: { _ilike: $like } }, { external_resource_id: { _ilike: $like } }] }
      order_by: { name: asc }
      limit: $most
    ) {
      id
      name
      type
    }
    recommendation(
      where: { _or: [{ rule_name: { _ilike: $like } }, { cloud_resourse: { name: { _ilike: $like } } }] }
      order_by: { estimated_savings: desc_nulls_last }
      limit: $most
    ) {
      id
      rule_name
      cloud_resourse {
        name
      }
    }
  }
`);

/** The names of all services; they are few, and read once. */
export const ServiceNames = graphql(`
  query ServiceNames {
    cloud_resources_values {
      services
    }
  }
`);

/** A text as `_ilike` finds it anywhere: signs that stand for others there are meant as they are. */
export function pattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** Where a row that was found leads to. */
interface Target {
  to: '/costs/explorer' | '/inventory/resources' | '/recommendations';
  search: Record<string, unknown>;
}

/** The rows as lines of the palette, kind by kind. */
export function entries(
  found: ResultOf<typeof Find>,
  services: readonly string[],
  text: string,
  go: (target: Target) => void,
): Entry[] {
  const words = text.toLowerCase();
  const line = (
    group: string,
    icon: Entry['icon'],
    id: string,
    title: string,
    note: string | null,
    target: Target,
  ) => ({
    id: `${group} ${id}`,
    group,
    icon,
    title,
    ...(note === null ? {} : { note }),
    run: () => {
      go(target);
    },
  });
  const only = (field: string, value: string): Target => ({
    to: '/costs/explorer',
    search: { filters: [{ field, values: [value] }] },
  });
  return [
    ...found.cloud_accounts.map((row) =>
      line('Accounts', Cloud, row.id, row.account_name, row.account_number, only('account', row.id)),
    ),
    ...services
      .filter((name) => name !== '' && name.toLowerCase().includes(words))
      .slice(0, most)
      .map((name) => line('Services', Layers, name, name, null, only('service', name))),
    ...found.cloud_resourses.map((row) =>
      line('Resources', Boxes, row.id, row.name ?? row.id, row.type, {
        to: '/inventory/resources',
        search: { id: row.id },
      }),
    ),
    ...found.recommendation.map((row) =>
      line('Recommendations', PiggyBank, row.id, row.rule_name ?? row.id, row.cloud_resourse?.name ?? null, {
        to: '/recommendations',
        search: { id: row.id },
      }),
    ),
  ];
}

/** What the service has by a text: accounts, services, resources and recommendations, a moment after the last letter. */
export function useFound(text: string): { found: Entry[]; trouble: string | null } {
  const navigate = useNavigate();
  const lack = useLack();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(text.trim());
    }, pause);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  const isAsked = asked.length >= least && lack({ fields: ['cloud_resources_values'] }) === undefined;
  const answer = useQuery(graphqlOptions(Find, { like: pattern(asked), most }, { enabled: isAsked }));
  const services = useQuery({ ...graphqlOptions(ServiceNames, {}, { enabled: isAsked }), staleTime: 60_000 });
  if (!isAsked || text.trim().length < least) return { found: [], trouble: null };
  const error = answer.error ?? services.error;
  const trouble = error ? `Costs and resources could not be searched: ${error.message}` : null;
  const names = services.data?.cloud_resources_values?.services ?? [];
  const go = ({ to, search }: Target) => {
    void navigate({ to, search });
  };
  return { found: answer.data ? entries(answer.data, names, asked, go) : [], trouble };
}
