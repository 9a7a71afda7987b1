/**
 * Which of the words is meant by what was typed, -1 for none: the first that begins with it, looked for from the one at `at` on. The same letter again
 * and again goes along those that begin with it.
 */
export function matchOf(words: readonly string[], typed: string, at: number): number {
  const letters = [...typed.toLowerCase()];
  const [first = ''] = letters;
  const isOneLetter = letters.every((letter) => letter === first);
  const start = isOneLetter ? first : letters.join('');
  // A letter leads on from where it has led to; a word may still be the one that its beginning has found.
  const from = Math.max(0, isOneLetter ? at + 1 : at);
  const order = words.map((_, index) => (from + index) % words.length);
  return order.find((index) => words[index]?.toLowerCase().startsWith(start)) ?? -1;
}
