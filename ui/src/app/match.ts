/**
 * Where the letters of `query` occur in `title`, in order; null when they do not. A lower score is a better match: whole words
 * before scattered letters, early before late.
 */
export function match(title: string, query: string): { score: number; marks: number[] } | null {
  const [text, wanted] = [title.toLowerCase(), query.trim().toLowerCase()];
  if (!wanted) return { score: 0, marks: [] };
  const whole = text.indexOf(wanted);
  if (whole >= 0) {
    const wordStart = whole === 0 || !/\w/.test(text[whole - 1] ?? '');
    return { score: (wordStart ? 0 : 100) + whole, marks: Array.from(wanted, (_, i) => whole + i) };
  }
  const marks: number[] = [];
  let from = 0;
  for (const letter of wanted) {
    if (letter === ' ') continue;
    const at = text.indexOf(letter, from);
    if (at < 0) return null;
    marks.push(at);
    from = at + 1;
  }
  return { score: 1000 + (marks.at(-1) ?? 0) - (marks[0] ?? 0), marks };
}
