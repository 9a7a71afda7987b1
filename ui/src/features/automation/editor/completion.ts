import type { Json } from '@/api';

/** The names in a workflow that completion offers. */
export interface WorkflowNames {
  kinds: readonly string[];
  tasks: readonly string[];
  inputs: readonly string[];
}

/** The completions at a position, and the range of the line they replace. */
export interface Offer {
  from: number;
  options: readonly string[];
}

const roots = ['Inputs', 'Tasks', 'Vars', 'Secrets', 'State', 'Self', 'Matrix', 'LoopItem'];
/** Names available in every run. */
const given = [
  'workflow_id',
  'workflow_name',
  'workflow_execution_id',
  'workflow_execution_time',
  'workflow_scheduled_time',
  'workflow_last_execution_time',
];
const filters = [
  'combine',
  'default',
  'dict2items',
  'first',
  'flatten',
  'from_json',
  'human_readable',
  'int',
  'join',
  'last',
  'length',
  'lower',
  'map',
  'regex_findall',
  'regex_replace',
  'regex_search',
  'round',
  'selectattr',
  'sort',
  'string',
  'sum',
  'ternary',
  'to_json',
  'to_nice_json',
  'to_yaml',
  'trim',
  'unique',
  'upper',
];
const ofTask = ['output', 'status', 'error'];

/** The completions after the start of a line: task types, task ids, and names inside a template. */
export function offerAt(before: string, known: WorkflowNames): Offer | null {
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  const isInside = start >= 0 && !/[}%]\}/.test(before.slice(start));
  if (isInside) return insideTemplate(before, known);
  const kind = /^(\s*-?\s*type:\s*["']?)([\w.-]*)$/.exec(before);
  if (kind) return offer(kind[1], kind[2], known.kinds);
  const other = /^(\s*-?\s*(?:depends_on:\s*\[(?:[^\]]*,\s*)?|(?:default_)?next:\s*["']?))([\w-]*)$/.exec(before);
  return other ? offer(other[1], other[2], known.tasks) : null;
}

function insideTemplate(before: string, known: WorkflowNames): Offer | null {
  const filter = /^(.*\|\s*)(\w*)$/.exec(before);
  if (filter) return offer(filter[1], filter[2], filters);
  const quoted = /^(.*\bTasks\[["'])([\w-]*)$/.exec(before);
  if (quoted) return offer(quoted[1], quoted[2], known.tasks);
  const ofOne = /^(.*\bTasks(?:\.\w+|\[["'][\w-]+["']\])\.)(\w*)$/.exec(before);
  if (ofOne) return offer(ofOne[1], ofOne[2], ofTask);
  const below = /^(.*\b(Tasks|Inputs|Vars)\.)(\w*)$/.exec(before);
  if (below) {
    const plain = known.tasks.filter((id) => /^\w+$/.test(id));
    return offer(below[1], below[3], below[2] === 'Tasks' ? plain : [...known.inputs, ...given]);
  }
  const root = /^(.*?)([A-Za-z]\w*)?$/.exec(before);
  // Members of other objects are unknown.
  return root && !/[\w.\])]$/.test(root[1] ?? '') ? offer(root[1], root[2], roots) : null;
}

function offer(head: string | undefined, typed: string | undefined, options: readonly string[]): Offer | null {
  const fitting = options.filter((one) => one.toLowerCase().startsWith((typed ?? '').toLowerCase()));
  return fitting.length === 0 ? null : { from: head?.length ?? 0, options: fitting };
}

type Fields = { [key: string]: Json };

function ids(list: Json | undefined): string[] {
  const all = Array.isArray(list) ? list : [];
  return all.flatMap((one) => {
    const id = typeof one === 'object' && one !== null && !Array.isArray(one) ? one['id'] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}

/** The names in a definition. */
export function knownOf(definition: Json, kinds: readonly string[]): WorkflowNames {
  const fields: Fields =
    typeof definition === 'object' && definition !== null && !Array.isArray(definition) ? definition : {};
  return { kinds, tasks: ids(fields['tasks']), inputs: ids(fields['inputs']) };
}
