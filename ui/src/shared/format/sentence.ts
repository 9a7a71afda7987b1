import { money } from './money';

/** Sentences of the service write "USD 154.94"; where a page has this one currency alone, the amount has its sign. */
export function withSign(text: string, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return text;
  const written = new RegExp(`\\b${currency} ([−-]?\\d+(?:,\\d{3})*(?:\\.\\d+)?)`, 'g');
  return text.replace(written, (_, amount: string) => money(amount.replaceAll(',', '').replace('−', '-'), currency));
}
