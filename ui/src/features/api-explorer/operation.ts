import { Kind, Lexer, Source, TokenKind, parse, print } from 'graphql';
import type { DocumentNode, OperationDefinitionNode, Token } from 'graphql';

function read(query: string): DocumentNode | undefined {
  try {
    return parse(query);
  } catch {
    return undefined;
  }
}

function operationsOf(query: string): readonly OperationDefinitionNode[] {
  return (read(query)?.definitions ?? []).filter((part) => part.kind === Kind.OPERATION_DEFINITION);
}

/** The operation to run: of several the one the cursor is in, or the first. Undefined while there is one only. */
export function operationAt(query: string, cursor: number): string | undefined {
  const operations = operationsOf(query);
  if (operations.length < 2) return undefined;
  const here = operations.find(({ loc }) => loc && loc.start <= cursor && cursor <= loc.end);
  return (here ?? operations[0])?.name?.value;
}

/** A default name for a query: that of its operation, or its first root field. */
export function titleOf(query: string): string | undefined {
  const first = operationsOf(query)[0];
  const field = first?.selectionSet.selections[0];
  return first?.name?.value ?? (field?.kind === Kind.FIELD ? field.name.value : undefined);
}

/** Laid out again, two spaces a level. Comments stay, and with them the line breaks. Throws a `GraphQLError` with the place. */
export function prettify(query: string): string {
  const document = parse(query);
  return hasComments(query) ? indented(query) : print(document);
}

function hasComments(query: string): boolean {
  const lexer = new Lexer(new Source(query));
  for (let token: Token | null = lexer.token; token; token = token.next) {
    if (token.kind === TokenKind.COMMENT) return true;
    if (token.kind === TokenKind.EOF) break;
    if (!token.next) lexer.advance();
  }
  return false;
}

/** `print` drops comments, so a text with comments keeps its lines and is only re-indented. */
function indented(query: string): string {
  const depths = new Map<number, number>();
  const inside = new Set<number>();
  const lexer = new Lexer(new Source(query));
  let depth = 0;
  for (let token: Token | null = lexer.token; token && token.kind !== TokenKind.EOF; token = token.next) {
    const opens = /^[{([]$/.test(token.kind);
    const closes = /^[})\]]$/.test(token.kind);
    if (closes) depth -= 1;
    if (token.kind !== TokenKind.SOF && !depths.has(token.line)) depths.set(token.line, depth);
    if (token.kind === TokenKind.BLOCK_STRING) {
      // Its further lines are a value: moving them would change it.
      const lines = query.slice(token.start, token.end).split(/\r\n|[\n\r]/).length;
      for (let line = 1; line < lines; line += 1) inside.add(token.line + line);
    }
    if (opens) depth += 1;
    if (!token.next) lexer.advance();
  }
  return query
    .split(/\r\n|[\n\r]/)
    .map((line, i) => (inside.has(i + 1) ? line : '  '.repeat(depths.get(i + 1) ?? 0) + line.trim()))
    .join('\n');
}
