/**
 * Where the letters of `query` occur in `title`, in order; null when they do not. A lower score is a better match: whole words
 * before beginnings of words, early before late.
 */
export function match(title: string, query: string): { score: number; marks: number[] } | null {
  const [text, wanted] = [title.toLowerCase(), query.trim().toLowerCase()];
  if (!wanted) return { score: 0, marks: [] };
  const whole = text.indexOf(wanted);
  if (whole >= 0) {
    const wordStart = whole === 0 || !/\w/.test(text[whole - 1] ?? '');
    return { score: (wordStart ? 0 : 100) + whole, marks: Array.from(wanted, (_, i) => whole + i) };
  }
  const marks = initials(text, wanted.replaceAll(' ', ''), 0);
  return marks && { score: 1000 + (marks.at(-1) ?? 0) - (marks[0] ?? 0), marks };
}

/** Where letters begin words, or follow one that does: "iex" in "Inventory, Export". */
function initials(text: string, wanted: string, from: number): number[] | null {
  const [letter, rest] = [wanted.charAt(0), wanted.slice(1)];
  if (letter === '') return [];
  for (let at = text.indexOf(letter, from); at >= 0; at = text.indexOf(letter, at + 1)) {
    if (at > 0 && at !== from && /\w/.test(text.charAt(at - 1))) continue;
    const others = initials(text, rest, at + 1);
    if (others) return [at, ...others];
  }
  return null;
}
