/**
 * JSON read without losing anything: numbers and strings stay the text they came as, so amounts keep every digit on screen,
 * in the copied text and in the saved file. `JSON.parse` would round them to doubles.
 */
export type Exact =
  | { kind: 'object'; entries: readonly (readonly [name: string, value: Exact])[] }
  | { kind: 'list'; items: readonly Exact[] }
  /** `text` as written in the document: `12.50`, `"a\u00e9"`, `null`. */
  | { kind: 'string' | 'number' | 'word'; text: string };

const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;

/** Undefined if the text is not JSON. */
export function readExact(text: string): Exact | undefined {
  try {
    return new Reader(text).document();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

class Reader {
  private at = 0;
  private next: RegExpExecArray | null = null;

  constructor(private readonly text: string) {
    this.step();
  }

  document(): Exact {
    const value = this.value();
    if (this.next || this.text.slice(this.at).trim()) throw new SyntaxError('more than one value');
    return value;
  }

  private step(): void {
    token.lastIndex = this.at;
    this.next = token.exec(this.text);
    if (this.next) this.at = token.lastIndex;
  }

  private takes(sign: string): boolean {
    if (this.next?.[1] !== sign) return false;
    this.step();
    return true;
  }

  private expect(sign: string): void {
    if (!this.takes(sign)) throw new SyntaxError(`expected ${sign}`);
  }

  private value(): Exact {
    if (this.takes('{')) return { kind: 'object', entries: this.several('}', () => this.entry()) };
    if (this.takes('[')) return { kind: 'list', items: this.several(']', () => this.value()) };
    const [, , string, number, word] = this.next ?? [];
    const found = string ?? number ?? word;
    if (found === undefined) throw new SyntaxError('expected a value');
    this.step();
    return { kind: string ? 'string' : number ? 'number' : 'word', text: found };
  }

  private entry(): readonly [string, Exact] {
    const name = this.next?.[2];
    if (name === undefined) throw new SyntaxError('expected a name');
    this.step();
    this.expect(':');
    return [name, this.value()];
  }

  private several<Part>(end: string, part: () => Part): Part[] {
    const parts: Part[] = [];
    if (this.takes(end)) return parts;
    do parts.push(part());
    while (this.takes(','));
    this.expect(end);
    return parts;
  }
}

/** Values up to this many characters are printed on one line. */
const lineWidth = 60;

/** Indented by two spaces; numbers and strings unchanged. */
export function printExact(value: Exact, indent = ''): string {
  const parts = value.kind === 'object' ? value.entries : value.kind === 'list' ? value.items : undefined;
  if (!parts) return oneLine(value, Infinity) ?? '';
  const short = indent && oneLine(value, lineWidth);
  if (short) return short;
  const [open, close] = value.kind === 'object' ? '{}' : '[]';
  if (parts.length === 0) return `${open ?? ''}${close ?? ''}`;
  const inner = `${indent}  `;
  const lines =
    value.kind === 'object'
      ? value.entries.map(([name, of]) => `${inner}${name}: ${printExact(of, inner)}`)
      : (parts as readonly Exact[]).map((of) => `${inner}${printExact(of, inner)}`);
  return `${open ?? ''}\n${lines.join(',\n')}\n${indent}${close ?? ''}`;
}

/** Undefined if it is longer than `room`; stops reading there. */
function oneLine(value: Exact, room: number): string | undefined {
  if (value.kind !== 'object' && value.kind !== 'list') return value.text.length <= room ? value.text : undefined;
  const parts: string[] = [];
  let left = room - 4;
  for (const part of value.kind === 'object' ? value.entries : value.items) {
    const [name, of] = Array.isArray(part) ? (part as readonly [string, Exact]) : [undefined, part as Exact];
    const text = oneLine(of, left);
    if (text === undefined) return undefined;
    parts.push(name === undefined ? text : `${name}: ${text}`);
    left -= (parts.at(-1)?.length ?? 0) + 2;
    if (left < 0) return undefined;
  }
  const inside = parts.join(', ');
  if (value.kind === 'list') return `[${inside}]`;
  return inside ? `{ ${inside} }` : '{}';
}

/** The value of a member, for `of(answer, 'data', 'spends')`. */
export function of(value: Exact | undefined, ...path: readonly string[]): Exact | undefined {
  return path.reduce<Exact | undefined>(
    (at, name) => (at?.kind === 'object' ? at.entries.find(([own]) => plain(own) === name)?.[1] : undefined),
    value,
  );
}

/** A string without quotes and escapes; other values unchanged. */
export function plain(text: string): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}
