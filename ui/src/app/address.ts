/**
 * What stands in the search parameters of an address, as the router writes and reads it: texts as they are, everything else as JSON. A text that
 * would be read as JSON is quoted.
 */
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

/** How JSON may start. The pattern of the router takes a day for a number. */
const beginning = /^(?:\s|["[{-]|\d+(?:[.eE\s]|$)|fa|nu|tr)/;
const noJson = new SyntaxError('expected JSON');

/** `JSON.parse` without the cost of an exception for days and names: every link of a page calls it. */
function parse(text: string): unknown {
  if (!beginning.test(text)) throw noJson;
  return JSON.parse(text);
}

export const stringifySearch = stringifySearchWith(JSON.stringify, parse);
export const parseSearch = parseSearchWith(parse);
