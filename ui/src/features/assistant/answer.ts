import { compareNames } from '@/shared';
import type { Evidence, Exchange, SentLine, Step, UnprovedSentence } from './types';

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

function paragraphsOf(text: string): string[] {
  return text.split(/\n+/).filter((line) => line.trim() !== '');
}

/** A paragraph, or the items of a list that follow each other, without their marks. */
export type Block = { text: string } | { items: string[] };

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const paragraph of paragraphsOf(text)) {
    const item = /^\s*[-*•]\s+(.*)$/.exec(paragraph)?.[1];
    const last = blocks.at(-1);
    if (item === undefined) blocks.push({ text: paragraph });
    else if (last && 'items' in last) last.items.push(item);
    else blocks.push({ items: [item] });
  }
  return blocks;
}

/** Whether a paragraph has a sentence that its evidence does not prove. */
export function doubtOf(paragraph: string, unproved: readonly UnprovedSentence[]): UnprovedSentence | undefined {
  return unproved.find(({ text }) => paragraph.includes(text));
}

interface Message {
  id: string;
  message: string;
  role: string | null;
  status: string | null;
  status_reason?: string | null;
  unproved?: unknown;
}

interface Look {
  /** The question it was looked at for. */
  agent_id: string;
  thought: string | null;
  /** The name of the evidence it produced. */
  references: string | null;
  status: string | null;
  response: string | null;
}

const states: Record<string, Exchange['state']> = { FAILED: 'failed', KILLED: 'stopped', IN_PROGRESS: 'stopped' };

/** The messages of a conversation, as questions with their answers. */
export function exchangesOf(
  messages: readonly Message[],
  references: readonly { message_id: string | null; content: string | null }[],
  looks: readonly Look[] = [],
): Exchange[] {
  const exchanges: Exchange[] = [];
  let asked = '';
  for (const message of messages) {
    const last = exchanges.at(-1);
    const state = states[message.status ?? ''] ?? 'done';
    const why = message.status_reason ? { error: sentence(message.status_reason) } : {};
    if (message.role !== 'assistant') {
      asked = message.id;
      const steps = stepsOf(asked, looks, []);
      exchanges.push({ question: message.message, answer: '', steps, references: [], unproved: [], state, ...why });
    } else if (last) {
      const own = references.filter((reference) => reference.message_id === message.id);
      last.answer = message.message;
      last.state = state;
      last.references = own
        .map((reference) => JSON.parse(reference.content ?? '{}') as Evidence)
        .sort((a, b) => compareNames(a.id, b.id));
      last.unproved = (message.unproved ?? []) as UnprovedSentence[];
      last.steps = stepsOf(asked, looks, last.references);
      Object.assign(last, why);
    }
  }
  return exchanges;
}

/** The lookups for a question, including failed ones. */
function stepsOf(question: string, looks: readonly Look[], references: readonly Evidence[]): Step[] {
  const own = looks.filter((look) => look.agent_id === question);
  // Conversations of earlier versions have references only.
  if (own.length === 0) return references.map((evidence) => ({ title: evidence.title, rows: evidence.rows, evidence }));
  return own.map((look) => {
    const evidence = references.find(({ id }) => id === look.references);
    if (evidence) return { title: evidence.title, rows: evidence.rows, evidence };
    const title = look.thought ?? 'Lookup';
    return look.status === 'FAILED' ? { title, error: reasonOf(look.response ?? '') } : { title, rows: 0 };
  });
}

/** Why a lookup failed, without details meant for the model only. */
function reasonOf(told: string): string {
  return told.replace(/^This did not work: /, '').replace(/\. Correct it, or look somewhere else\.$/, '');
}

/** Formats a reason as a sentence. */
export function sentence(reason: string): string {
  const text = reason.replace(/\.? (Your message|What was written so far) is kept in conversation [0-9a-f-]+\.?$/, '');
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Bytes of the requests. */
export function sizeOf(lines: readonly SentLine[]): number {
  return lines.reduce((sum, line) => sum + Number(line.size_bytes), 0);
}
