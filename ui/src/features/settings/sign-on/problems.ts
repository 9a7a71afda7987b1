import type { FormProps } from './form';
import { titleOf } from './form';
import { problemsOf } from './mapping';
import type { Row } from './mapping';
import { settingNames } from './types';

/** A problem that prevents saving, with its location. */
export interface Problem {
  anchor: string;
  title: string;
}

/** Problems of the changes, in the order of the form. Invalid saved values have a separate warning. */
export function problemsFound({ view, draft, problem }: FormProps, rows: readonly Row[] | null): Problem[] {
  const found: Problem[] = settingNames
    .filter((name) => name !== 'SAML_GROUP_MAPPING' && draft[name] !== undefined && problem(name) !== undefined)
    .map((name) => ({ anchor: `setting-${name}`, title: titleOf(name) }));
  const inRows = (rows === null ? [] : problemsOf(rows)).flatMap((text, at) =>
    text === null ? [] : [{ anchor: `mapping-row-${String(at + 1)}`, title: `Groups to roles, row ${String(at + 1)}` }],
  );
  if (rows === null || (view.mapping_problem !== null && draft.SAML_GROUP_MAPPING !== undefined && inRows.length === 0))
    inRows.push({ anchor: 'setting-SAML_GROUP_MAPPING', title: 'Groups to roles' });
  return [...found, ...inRows];
}
