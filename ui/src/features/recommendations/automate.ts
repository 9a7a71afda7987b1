import type { Row } from './row';

/** The initial values of an auto-pilot for the listed recommendations. */
export interface PilotStart {
  account: string;
  add: 'vertical_rightsize' | 'horizontal_rightsize' | 'pvc_rightsize';
  /** Kind and name of the resource, where all of them have the same. */
  type?: string;
  name?: string;
  /** The number of recommendations it is based on. */
  of: number;
}

/** The auto-pilot category for a rule; the service uses the same mapping (`fits` of operations/automation). */
function changeOf({ stored, evidence }: Row): PilotStart['add'] {
  const rule = (stored.rule_name ?? '').toLowerCase();
  const isVolume = evidence.kind?.toLowerCase() === 'persistentvolumeclaim' || /pvc|volume/.test(rule);
  if (isVolume) return 'pvc_rightsize';
  return /replica|copies|horizontal/.test(rule) ? 'horizontal_rightsize' : 'vertical_rightsize';
}

/** Whether an auto-pilot could apply it: open right-sizing of a known resource. */
function canBeAutomated({ stored }: Row): boolean {
  return (
    stored.category === 'RightSizing' &&
    stored.status === 'Open' &&
    !stored.is_dismissed &&
    stored.cloud_resourse !== null
  );
}

/**
 * The auto-pilot that takes up most of these rows: it looks after one account and makes one kind of change. Undefined where none of them could be
 * taken up.
 */
export function pilotFor(rows: readonly Row[]): PilotStart | undefined {
  const groups = new Map<string, Row[]>();
  for (const row of rows.filter(canBeAutomated)) {
    const key = `${row.stored.cloud_account.id} ${changeOf(row)}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const most = [...groups.values()].reduce<Row[]>((most, group) => (group.length > most.length ? group : most), []);
  const [first] = most;
  if (!first) return undefined;
  const same = (part: 'type' | 'name') => {
    const found = new Set(most.map(({ stored }) => stored.cloud_resourse?.[part] ?? ''));
    const [only = ''] = found;
    return found.size === 1 && only !== '' ? { [part]: only } : {};
  };
  return {
    account: first.stored.cloud_account.id,
    add: changeOf(first),
    ...same('type'),
    ...same('name'),
    of: most.length,
  };
}
