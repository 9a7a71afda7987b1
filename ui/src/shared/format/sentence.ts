import { money } from './money';

/** The service writes "USD 154.94" in sentences; on a page with only this currency, the amount gets its sign. */
export function withSign(text: string, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return text;
  const written = new RegExp(`\\b${currency} ([−-]?\\d+(?:,\\d{3})*(?:\\.\\d+)?)`, 'g');
  return text.replace(written, (_, amount: string) => money(amount.replaceAll(',', '').replace('−', '-'), currency));
}
