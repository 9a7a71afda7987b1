import type { Json } from '@/api';

/** A report as the service lays it out; cells are texts, amounts have every digit. */
export interface Content {
  title: string;
  subtitle?: string;
  notes?: readonly string[];
  sections: readonly Section[];
}

export interface Section {
  title?: string;
  chart?: Bars | null;
  table: Table;
}

/** Stacked bars. */
export interface Bars {
  unit?: string;
  labels: readonly string[];
  series: readonly { name: string; values: readonly string[] }[];
}

export interface Table {
  columns: readonly { name: string; kind?: 'text' | 'amount' | 'share' }[];
  rows: readonly (readonly string[])[];
  total?: readonly string[] | null;
}

/** The response of the service; it always has this shape. */
export function contentOf(answer: Json): Content {
  return answer as unknown as Content;
}
