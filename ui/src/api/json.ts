const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * `JSON.parse` that loses no digit: a number with a fraction, an exponent or more than 15 digits arrives as its text.
 *
 * Money has more digits than a double holds. Strings are passed over, so digits inside them stay as they are.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(
    text.replace(token, (found) => (found.startsWith('"') || /^-?\d{1,15}$/.test(found) ? found : `"${found}"`)),
  );
}
