import type { Json } from '@/api';

/** A value of an object with its path: `spec.containers[0].image`. */
export interface ManifestMatch {
  path: string;
  value: string;
}

/** The search: values at a path, values that contain a text, or both. */
export interface ManifestQuery {
  /** Names, numbers and `*`; undefined where only a text is looked for. */
  path: readonly string[] | undefined;
  text: string;
}

/** Paths start with one of these, so that other words with a dot are texts. */
const tops = [
  'apiVersion',
  'kind',
  'metadata',
  'spec',
  'status',
  'data',
  'rules',
  'subjects',
  'webhooks',
  'provisioner',
];

function isFields(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads `spec.containers[*].image`, `spec.replicas = 3`, or a text that values and names have. */
export function soughtOf(text: string): ManifestQuery {
  const [, way = '', value = ''] = /^\s*([^\s=]+)\s*(?:=\s*(.*))?$/.exec(text) ?? [];
  const parts = way
    .replace(/^\$?\.?/, '')
    .split(/\.(?![^[]*\])|\[/)
    .map((part) => part.replace(/\]$/, '').replace(/^["']|["']$/g, ''))
    .filter((part) => part !== '');
  const isPath = parts.length > 0 && tops.includes(parts[0] ?? '');
  return isPath ? { path: parts, text: value.trim() } : { path: undefined, text: text.trim() };
}

/** The text an object must contain to be a candidate: the value, else the last name of the path. */
export function likeOf({ path, text }: ManifestQuery): string {
  const last = path?.filter((part) => part !== '*' && !/^\d+$/.test(part)).at(-1);
  const word = text !== '' ? text : (last ?? '');
  // As written inside a JSON text.
  const written = JSON.stringify(word).slice(1, -1);
  return `%${written.replace(/[\\%_]/g, (one) => `\\${one}`)}%`;
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function step(path: string, name: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${name}]`;
  if (/[.[\]/]/.test(name)) return `${path}["${name}"]`;
  return path === '' ? name : `${path}.${name}`;
}

function children(value: Json): [string, Json, boolean][] {
  if (Array.isArray(value)) return (value as Json[]).map((one, at) => [String(at), one, true]);
  return isFields(value) ? Object.entries(value).map(([name, one]) => [name, one, false]) : [];
}

/** The values of an object that are meant, at most so many. */
export function findIn(manifest: Json, sought: ManifestQuery, most = 50): ManifestMatch[] {
  const found: ManifestMatch[] = [];
  const text = sought.text.toLowerCase();
  const take = (path: string, value: Json) => {
    const has = text === '' || shown(value).toLowerCase().includes(text);
    if (has && found.length < most) found.push({ path, value: shown(value) });
  };
  const along = (value: Json, parts: readonly string[], path: string) => {
    const [part, ...rest] = parts;
    if (part === undefined) {
      take(path, value);
      return;
    }
    for (const [name, one, isIndex] of children(value)) {
      if (part === '*' || part === name) along(one, rest, step(path, name, isIndex));
    }
  };
  const everywhere = (value: Json, path: string) => {
    const all = children(value);
    if (all.length === 0) take(path, value);
    for (const [name, one, isIndex] of all) {
      const way = step(path, name, isIndex);
      if (!isIndex && all.length > 0 && name.toLowerCase().includes(text) && children(one).length > 0) {
        if (found.length < most) found.push({ path: way, value: '' });
      }
      everywhere(one, way);
    }
  };
  if (sought.path) along(manifest, sought.path, '');
  else if (text !== '') everywhere(manifest, '');
  return found;
}

/** Texts that need no quotes in YAML, because they do not read as another type. */
function scalar(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain = /^[A-Za-z_/][\w ./@+=-]*(?::[\w./@+=-]+)*$/.test(value) && !/\s$/.test(value);
  const isOther = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i.test(value);
  return isPlain && !isOther ? value : JSON.stringify(value);
}

function lines(value: Json, indent: string): string[] {
  if (Array.isArray(value)) {
    return (value as Json[]).flatMap((one) => {
      if (children(one).length === 0) return [`${indent}- ${leaf(one)}`];
      const [first = '', ...rest] = lines(one, `${indent}  `);
      return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest];
    });
  }
  return children(value).flatMap(([name, one]) => {
    const key = `${indent}${scalar(name)}:`;
    if (typeof one === 'string' && /\n./.test(one) && !/^\s|[^\S\n]\n|[^\n\x20-\uffff]/.test(one)) {
      const chomp = one.endsWith('\n\n') ? '|+' : one.endsWith('\n') ? '|' : '|-';
      const body = one.replace(/\n$/, '').split('\n');
      return [`${key} ${chomp}`, ...body.map((line) => (line === '' ? '' : `${indent}  ${line}`))];
    }
    if (children(one).length === 0) return [`${key} ${leaf(one)}`];
    return [key, ...lines(one, Array.isArray(one) ? indent : `${indent}  `)];
  });
}

function leaf(value: Json): string {
  if (Array.isArray(value)) return '[]';
  return isFields(value) ? '{}' : scalar(value);
}

const names = ['apiVersion', 'kind', 'metadata'];
const namesInMetadata = ['name', 'namespace', 'uid', 'creationTimestamp'];

/** For an object that was too large to store, its kind and name for kubectl; undefined for others. */
export function nameOnlyOf(manifest: Json): { kind: string; name: string } | undefined {
  if (!isFields(manifest) || !isFields(manifest['metadata'])) return undefined;
  const { kind, metadata } = manifest;
  const hasOnly = (value: object, allowed: readonly string[]) =>
    Object.keys(value).every((key) => allowed.includes(key));
  if (!hasOnly(manifest, names) || !hasOnly(metadata, namesInMetadata)) return undefined;
  const { name, namespace } = metadata;
  if (typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return { kind: kind.toLowerCase(), name: typeof namespace === 'string' ? `${name} -n ${namespace}` : name };
}

const first = ['apiVersion', 'kind', 'metadata', 'spec'];

/** The object as YAML, in the order kubectl writes it. */
export function yamlOf(manifest: Json): string {
  if (!isFields(manifest)) return '';
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : name === 'status' ? 99 : 50);
  const ordered = Object.entries(manifest).sort(([a], [b]) => rank(a) - rank(b));
  return `${lines(Object.fromEntries(ordered), '').join('\n')}\n`;
}
