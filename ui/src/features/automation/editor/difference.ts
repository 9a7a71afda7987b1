/** A line of a difference: removed, added, unchanged, or omitted lines. */
export interface DifferenceLine {
  sign: '+' | '-' | ' ' | '…';
  text: string;
}

/** Unchanged lines that are shown around a change. */
const around = 3;
/** Above this number of lines, texts are shown as replaced completely: the comparison takes the product of both. */
const longest = 4000;

/** The line-by-line difference of two texts; empty if they are equal. */
export function differenceOf(before: string, after: string): DifferenceLine[] {
  if (before === after) return [];
  return folded(compared(before.trimEnd().split('\n'), after.trimEnd().split('\n')));
}

function compared(before: readonly string[], after: readonly string[]): DifferenceLine[] {
  if (before.length > longest || after.length > longest)
    return [
      ...before.map((text): DifferenceLine => ({ sign: '-', text })),
      ...after.map((text): DifferenceLine => ({ sign: '+', text })),
    ];
  // How many lines both have in common from here on.
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DifferenceLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push({ sign: ' ', text: before[row] ?? '' });
      row += 1;
      column += 1;
    } else if (row < before.length && (column >= after.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ sign: '-', text: before[row] ?? '' });
      row += 1;
    } else {
      lines.push({ sign: '+', text: after[column] ?? '' });
      column += 1;
    }
  }
  return lines;
}

/** Without the unchanged lines that are far from every change. */
function folded(lines: readonly DifferenceLine[]): DifferenceLine[] {
  const isNear = (place: number) =>
    lines.slice(Math.max(0, place - around), place + around + 1).some((line) => line.sign !== ' ');
  const shown: DifferenceLine[] = [];
  lines.forEach((line, place) => {
    if (isNear(place)) shown.push(line);
    else if (shown.at(-1)?.sign !== '…') shown.push({ sign: '…', text: '' });
  });
  return shown;
}
