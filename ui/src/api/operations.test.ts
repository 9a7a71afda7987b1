import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import { expect, test } from 'vitest';

/** Pages that ask by the operations of the contract, and what the frame and all pages ask; with the tables that an area is about itself. */
const rooms: [room: string, tables: string[]][] = [
  [
    'src/features/costs',
    [
      'anomaly',
      'anomaly_config',
      'delete_anomaly_config_by_pk',
      'cloud_accounts',
      'insert_budget_one',
      'update_budget_by_pk',
      'delete_budget_by_pk',
      'allocated_cost',
      'allocation_rule',
      'insert_allocation_rule_one',
      'update_allocation_rule_by_pk',
      'delete_allocation_rule_by_pk',
      'virtual_tag',
      'insert_virtual_tag_one',
      'update_virtual_tag_by_pk',
      'delete_virtual_tag_by_pk',
      'notice_channel',
      'business_number',
      'imports',
      'scheduled_report',
      'insert_scheduled_report_one',
      'update_scheduled_report_by_pk',
    ],
  ],
  ['src/features/overview', ['insight', 'notice']],
  ['src/app', ['saved_view_by_pk', 'private_view_by_pk', 'anomaly_aggregate']],
  [
    'src/api',
    [
      'saved_view',
      'insert_saved_view_one',
      'update_saved_view_by_pk',
      'delete_saved_view_by_pk',
      'private_view',
      'insert_private_view_one',
      'update_private_view_by_pk',
      'delete_private_view_by_pk',
      'default_view',
      'insert_default_view_one',
      'delete_default_view',
      // Tickets and trackers, which no listing has.
      'tenant',
    ],
  ],
];
const schema = '../schema/operations';

/** The root fields that `schema/operations/` declares: listings and operations, not those generated for tables. */
function declared(): Set<string> {
  const fields = files(schema, '.graphql').flatMap((file) =>
    parse(readFileSync(file, 'utf8')).definitions.flatMap((definition) =>
      definition.kind === 'ObjectTypeExtension' && definition.name.value.endsWith('_root')
        ? (definition.fields ?? []).map((field) => field.name.value)
        : [],
    ),
  );
  return new Set(fields);
}

function files(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('generated'))
    .map((name) => join(folder, name));
}

/** Everything a file asks the service. */
function questions(source: string): DocumentNode[] {
  return [...source.matchAll(/\bgraphql\(`([^`]*)`/g)].map((match) => parse(match[1] ?? ''));
}

function rootFields(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition'
      ? definition.selectionSet.selections.map((one) => (one.kind === 'Field' ? one.name.value : one.kind))
      : [],
  );
}

test.each(rooms)('%s asks operations, never tables of others', (room, tables) => {
  const known = new Set([...declared(), ...tables]);
  const asked = [...files(room, '.ts'), ...files(room, '.tsx')]
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      questions(readFileSync(file, 'utf8'))
        .flatMap(rootFields)
        .map((field) => ({ file, field })),
    );
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(({ field }) => !known.has(field))).toEqual([]);
});
