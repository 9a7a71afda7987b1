/** The indentation of a line. */
function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The lines of one task in the YAML: its id, the indentation of its fields, its start and end. */
interface Block {
  lines: string[];
  id: number;
  indent: number;
  start: number;
  end: number;
}

function blockOf(yaml: string, task: string): Block | undefined {
  const lines = yaml.replace(/\s+$/, '').split('\n');
  const head = lines.findIndex((line) => /^\s*tasks:\s*(#.*)?$/.test(line));
  const first = lines.findIndex((line, at) => head >= 0 && at > head && /^\s*- /.test(line));
  if (first < 0) return undefined;
  const outer = indentOf(lines[first] ?? '');
  const starts = lines.flatMap((line, at) =>
    at >= first && indentOf(line) === outer && /^\s*- /.test(line) ? [at] : [],
  );
  const escaped = task.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = new RegExp(`^\\s*(- +)?id:\\s*["']?${escaped}["']?\\s*(#.*)?$`);
  for (const start of starts) {
    const indent = outer + (/^\s*(- +)/.exec(lines[start] ?? '')?.[1]?.length ?? 2);
    const ends = lines.findIndex(
      (line, at) => at > start && line.trim() !== '' && !line.trim().startsWith('#') && indentOf(line) < indent,
    );
    const end = ends < 0 ? lines.length : ends;
    const isField = (at: number) =>
      at === start ? /^\s*- +id:/.test(lines[at] ?? '') : indentOf(lines[at] ?? '') === indent;
    const id = lines.findIndex((line, at) => at >= start && at < end && named.test(line) && isField(at));
    if (id >= 0) return { lines, id, indent, start, end };
  }
  return undefined;
}

/** The text of a workflow with a pinned output of one of its tasks, or without one; undefined where the text has no such task. */
export function withPin(yaml: string, task: string, output: unknown): string | undefined {
  return withField(
    yaml,
    task,
    'pinned_output',
    output === undefined ? [] : [`pinned_output: ${JSON.stringify(output)}`],
  );
}

/** The text of a workflow with other lines for one field of one of its tasks, or without it; undefined where the text has no such task. */
export function withField(
  yaml: string,
  task: string,
  name: string,
  field: readonly string[],
  /** The field after which a new one is inserted. */
  behind = 'id',
): string | undefined {
  const block = blockOf(yaml, task);
  if (!block) return undefined;
  const { lines, id, indent, start, end } = block;
  const lineOf = (field: string) =>
    lines.findIndex((line, at) => {
      const isField = at === start ? /^\s*- +/.test(line) : indentOf(line) === indent;
      return at >= start && at < end && isField && new RegExp(`^\\s*(- +)?${field}:`).test(line);
    });
  const old = lineOf(name);
  const before = Math.max(id, lineOf(behind));
  // A list item starts with its first field: another one has to replace it.
  if (old === start) return undefined;
  const over = lines.findIndex(
    (line, at) => old >= 0 && at > old && (at >= end || (line.trim() !== '' && indentOf(line) <= indent)),
  );
  const until = over < 0 ? lines.length : over;
  const kept = lines.filter((_, at) => old < 0 || at < old || at >= until);
  const place = old >= 0 && old < before ? before - (until - old) : before;
  // It stays where it was, where that is behind.
  const after = old < before ? place + 1 : old;
  const put = field.map((line) => `${' '.repeat(indent)}${line}`);
  return `${[...kept.slice(0, after), ...put, ...kept.slice(after)].join('\n')}\n`;
}
