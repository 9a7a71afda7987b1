import { useQuery } from '@tanstack/react-query';
import { buildClientSchema, getIntrospectionQuery, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLNamedType, GraphQLSchema, IntrospectionQuery } from 'graphql';
import { areas } from '@/api/generated/areas';
import { ask, bodyOf } from './ask';

/** The schema visible to this user; loaded once per sign-in. `who` is the user's e-mail address. */
export function useSchema(who: string) {
  return useQuery<GraphQLSchema>({
    queryKey: ['api-explorer', 'schema', who],
    queryFn: async ({ signal }) => {
      const answer = await ask(bodyOf(getIntrospectionQuery(), '', undefined), signal);
      const read = answer.status === 200 ? (JSON.parse(answer.text) as { data?: IntrospectionQuery }) : undefined;
      if (!read?.data) throw new Error(`The service returned status ${String(answer.status)} for the schema query.`);
      // Not validated: checking 3,000 types takes longer than parsing them, and the service validates them at start-up.
      return buildClientSchema(read.data, { assumeValid: true });
    },
    staleTime: Infinity,
  });
}

export type RootField = GraphQLField<unknown, unknown>;

/** Tables and listings of one area, in the order of the catalogue; only those this person may read. */
export interface Area {
  title: string;
  fields: readonly RootField[];
}

const titles: Record<string, string> = {
  cost: 'Cost management',
  anomalies: 'Anomalies',
  events: 'Events and incidents',
  recommendations: 'Recommendations',
  cloud: 'Cloud infrastructure',
  kubernetes: 'Kubernetes',
  automation: 'Automation',
  knowledge: 'Assistant and knowledge',
  agents: 'Agents',
  users: 'Users and access',
  service: 'This service',
};

export function areasOf(schema: GraphQLSchema): readonly Area[] {
  const left = new Map(Object.entries(schema.getQueryType()?.getFields() ?? {}));
  const take = (name: string) => {
    const field = left.get(name);
    for (const form of [name, `${name}_aggregate`, `${name}_by_pk`]) left.delete(form);
    return field;
  };
  const names = [...Object.keys(titles), ...Object.keys(areas).filter((name) => !(name in titles))];
  const found = names.map((name) => ({
    title: titles[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`,
    fields: (areas[name] ?? []).map(take).filter((field) => field !== undefined),
  }));
  return [...found, { title: 'Other', fields: [...left.values()] }].filter(({ fields }) => fields.length > 0);
}

/** The other root fields over the same table: `spends_aggregate`, `insert_spends_one` for `spends`. */
export function siblingsOf(schema: GraphQLSchema, name: string): readonly Place[] {
  const table = name.replace(/^(insert|update|delete)_/, '').replace(/_(aggregate|by_pk|one|many)$/, '');
  const forms = (fields: Record<string, unknown>, type: string, wanted: readonly string[]) =>
    wanted.filter((form) => form !== name && form in fields).map((field) => ({ type, field }));
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  return [
    ...(query ? forms(query.getFields(), query.name, [table, `${table}_aggregate`, `${table}_by_pk`]) : []),
    ...(mutation
      ? forms(mutation.getFields(), mutation.name, [
          `insert_${table}`,
          `insert_${table}_one`,
          `update_${table}`,
          `update_${table}_by_pk`,
          `update_${table}_many`,
          `delete_${table}`,
          `delete_${table}_by_pk`,
        ])
      : []),
  ];
}

/** A place in the documentation: a type, or one of its fields. */
export interface Place {
  type: string;
  field?: string;
}

const foundLength = 80;

/** Types and fields whose name contains `text`; exact names first, then root fields, up to a readable number. */
export function search(schema: GraphQLSchema, text: string): readonly Place[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const roots = [schema.getQueryType()?.name, schema.getMutationType()?.name];
  const found: { place: Place; rank: number }[] = [];
  const consider = (name: string, place: Place, base: number) => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at < 0) return;
    const fit = name.length === wanted.length ? 0 : at === 0 ? 1 : 2;
    found.push({ place, rank: base + fit });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    const isRoot = roots.includes(type.name);
    // Tables and listings first; filters and similar inputs after them.
    const isOutput = isObjectType(type);
    consider(type.name, { type: type.name }, isOutput ? 4 : 8);
    if (!isOutput) continue;
    for (const field of Object.keys(type.getFields())) {
      consider(field, { type: type.name, field }, isRoot ? 0 : 12);
    }
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, foundLength)
    .map(({ place }) => place);
}

/** Parts of a type, whatever its kind. */
export function partsOf(type: GraphQLNamedType) {
  if (isObjectType(type) || isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => ({
      name: field.name,
      description: field.description ?? undefined,
      type: String(field.type),
    }));
  }
  if (isEnumType(type)) {
    return type.getValues().map((value) => ({
      name: value.name,
      description: value.description ?? undefined,
      type: undefined,
    }));
  }
  return [];
}
