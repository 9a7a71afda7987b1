/** Subjects that are written otherwise than their field is called. */
const written: Record<string, string> = { url: 'URL', id: 'ID' };

/**
 * What the service says is wrong with a value, as a sentence. It has the value's name before it, in backticks, or leaves it out, and what is
 * expected behind a colon: "is not a full URL: expected an address such as https://…" is "This is not a full URL. Enter an address such as https://…".
 * What is a sentence already stays as it is.
 */
export function problemSentence(text: string): string {
  const [, name, rest = ''] = /^(?:`(\w+)` )?([\s\S]*)$/.exec(text.trim()) ?? [];
  if (name === undefined && !/^[a-z]/.test(rest)) return text;
  const entered = rest
    .replace(/(^|:|: —| —) ?expected /, (_, before: string) => (before === '' ? 'Enter ' : '. Enter '))
    .replace(/: leave /, '. Leave ');
  if (entered.startsWith('Enter ')) return entered;
  const subject = name === undefined ? 'This' : `The ${written[name] ?? name.replaceAll('_', ' ')}`;
  const isPredicate = /^(is|has|holds|begins|contains|names|needs|lies|leads|looks|does) /.test(entered);
  return isPredicate ? `${subject} ${entered}` : `${entered.charAt(0).toUpperCase()}${entered.slice(1)}`;
}
