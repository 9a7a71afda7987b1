/** A row of the table of groups and roles, in the order of the setting. */
export interface Row {
  group: string;
  role: string;
}

/** The rows of SAML_GROUP_MAPPING, or null when it is not an object of texts. An empty setting has no rows. */
export function rowsOf(text: string): Row[] | null {
  if (text.trim() === '') return [];
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return null;
    const entries = Object.entries(found as Record<string, unknown>);
    if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return null;
    return entries.map(([group, role]) => ({ group, role }));
  } catch {
    return null;
  }
}

/** The setting for these rows. Rows without a group are dropped. Of two with the same group the first counts; `problemsOf` reports it. */
export function textOfRows(rows: readonly Row[]): string {
  const parts: string[] = [];
  const seen = new Set<string>();
  for (const { group, role } of rows) {
    if (group === '' || seen.has(group)) continue;
    seen.add(group);
    // Not built as an object, which would sort numeric groups first and lose `__proto__`.
    parts.push(`${JSON.stringify(group)}: ${JSON.stringify(role)}`);
  }
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** The problem of each row: a duplicate or missing group, or a space at its end that no provider sends. */
export function problemsOf(rows: readonly Row[]): (string | null)[] {
  return rows.map(({ group }, index) => {
    if (group === '') return 'Enter the name of the group, exactly as the provider sends it.';
    const first = rows.findIndex((row) => row.group === group);
    if (first < index) return `Already mapped in row ${String(first + 1)}.`;
    if (group !== group.trim()) {
      const other = rows.findIndex((row) => row.group === group.trim());
      return other >= 0
        ? `Already mapped in row ${String(other + 1)}, but for the space at ${group.trimStart() === group ? 'its end' : 'its beginning'}.`
        : `Has a space at ${group.trimStart() === group ? 'its end' : 'its beginning'}. Names must match exactly.`;
    }
    return null;
  });
}

/** Rows that differ in capital letters only: both are allowed, and rarely meant. */
export function nearMissOf(rows: readonly Row[], index: number): string | null {
  const group = rows[index]?.group;
  if (!group) return null;
  const other = rows.findIndex(
    (row, at) => at !== index && row.group !== group && row.group.toLowerCase() === group.toLowerCase(),
  );
  return other < 0
    ? null
    : `Row ${String(other + 1)} is “${rows[other]?.group ?? ''}”. Capital letters differ, so these are two groups.`;
}
