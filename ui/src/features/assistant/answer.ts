import type { Evidence, Exchange, SentLine, Unproved } from './types';

/** A piece of a paragraph: words, or evidence cited there. */
export type Piece = { text: string; bold?: boolean; code?: boolean } | { cites: string[] };

const mark = /(\[[A-Z]\d+(?:\s*[,;]\s*[A-Z]\d+)*\]|\*\*[^*]+\*\*|`[^`]+`)/;

/** A paragraph in pieces: evidence in brackets, **bold** and `code`; all else is plain text and never HTML. */
export function piecesOf(paragraph: string): Piece[] {
  return paragraph
    .split(mark)
    .filter((part) => part !== '')
    .map((part) => {
      if (/^\[[A-Z]\d/.test(part)) return { cites: part.slice(1, -1).split(/\s*[,;]\s*/) };
      if (part.startsWith('**') && part.length > 4) return { text: part.slice(2, -2), bold: true };
      if (part.startsWith('`') && part.length > 2) return { text: part.slice(1, -1), code: true };
      return { text: part };
    });
}

export function paragraphsOf(text: string): string[] {
  return text.split(/\n+/).filter((line) => line.trim() !== '');
}

/** Whether a paragraph has a sentence that its evidence does not prove. */
export function doubtOf(paragraph: string, unproved: readonly Unproved[]): Unproved | undefined {
  return unproved.find(({ text }) => paragraph.includes(text));
}

interface Message {
  id: string;
  message: string;
  role: string | null;
  status: string | null;
}

/** What was said in a conversation, as questions with their answers. */
export function exchangesOf(
  messages: readonly Message[],
  references: readonly { message_id: string | null; content: string | null }[],
): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    if (message.role !== 'assistant') {
      const state = message.status === 'FAILED' ? 'failed' : message.status === 'IN_PROGRESS' ? 'stopped' : 'done';
      exchanges.push({ question: message.message, answer: '', steps: [], references: [], unproved: [], state });
    } else if (last) {
      const own = references.filter((reference) => reference.message_id === message.id);
      last.answer = message.message;
      last.state = 'done';
      last.references = own
        .map((reference) => JSON.parse(reference.content ?? '{}') as Evidence)
        .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
      last.steps = last.references.map((evidence) => ({ title: evidence.title, rows: evidence.rows, evidence }));
    }
  }
  return exchanges;
}

/** Bytes of what left this machine, or would have stayed. */
export function sizeOf(lines: readonly SentLine[]): number {
  return lines.reduce((sum, line) => sum + Number(line.size_bytes), 0);
}
