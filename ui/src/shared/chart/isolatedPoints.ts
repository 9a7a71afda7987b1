/** Where a line has a value and no neighbour to draw a stroke to: it is drawn as a point. */
export function isolatedPoints(values: ArrayLike<number | null | undefined>): number[] {
  const isThere = (index: number) => values[index] != null;
  return Array.from({ length: values.length }, (_, index) => index).filter(
    (index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1),
  );
}
