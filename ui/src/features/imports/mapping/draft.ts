import type { MappingContent, UnmappedTable } from '@/api';

/** The column assignments made so far. */
export interface Draft {
  /** By field: `column:` and the name of a column, `value`, or nothing. */
  choices: Partial<Record<string, string>>;
  values: Partial<Record<string, string>>;
  tags: readonly string[];
}

const ofColumn = 'column:';

/** The choice of a column. */
export function column(name: string): string {
  return ofColumn + name;
}

/** Initial assignments, guessed from the column names. */
export function draftOf(table: UnmappedTable): Draft {
  const choices = Object.entries(table.suggestion.columns).map(([field, name]) => [field, column(name ?? '')]);
  return { choices: Object.fromEntries(choices) as Draft['choices'], values: {}, tags: [] };
}

export function choose(draft: Draft, field: string, choice: string): Draft {
  return { ...draft, choices: { ...draft.choices, [field]: choice } };
}

/** The mapping in the format of the service. */
export function contentOf(draft: Draft): MappingContent {
  const content: MappingContent = { columns: {}, values: {}, tags: [...draft.tags] };
  for (const [field, choice] of Object.entries(draft.choices)) {
    const value = (draft.values[field] ?? '').trim();
    if (choice?.startsWith(ofColumn)) content.columns[field] = choice.slice(ofColumn.length);
    else if (choice === 'value' && value !== '') content.values[field] = value;
  }
  return content;
}

/** The fields that are needed and neither a column nor a value is for. */
export function lacking(table: UnmappedTable, draft: Draft): string[] {
  const { columns, values } = contentOf(draft);
  const isThere = (field: string) => columns[field] !== undefined || values[field] !== undefined;
  return table.fields.filter(({ name, is_needed }) => is_needed && !isThere(name)).map(({ name }) => name);
}
