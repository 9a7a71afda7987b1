/** A picture of a page, scaled down: three bytes a pixel, row by row. */
export interface Picture {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Side of a block, in pixels of a picture that is scaled down. */
const block = 4;

/** How far the mean of a block may be off in red, green or blue, of 255: letters that another version of the browser draws a little thicker stay within. */
const tolerance = 10;

/** How many blocks may be off further: a caret, the end of a name. A column, a panel or a button is more. */
const allowedBlocks = 6;

/** How far a picture is from the one that is wanted. */
export interface Difference {
  /** Blocks that are off by more than the tolerance, by the place of their first pixel. */
  blocks: { x: number; y: number }[];
  /** What is wrong; nothing when the pictures are the same to a reader. */
  message: string | undefined;
}

/** Compares two pictures block by block. */
export function difference(got: Picture, wanted: Picture): Difference {
  if (got.width !== wanted.width || got.height !== wanted.height) {
    const size = ({ width, height }: Picture) => `${String(width)} × ${String(height)}`;
    return { blocks: [], message: `the picture is ${size(got)}, wanted ${size(wanted)}` };
  }
  const blocks = [];
  for (let y = 0; y < got.height; y += block)
    for (let x = 0; x < got.width; x += block) if (distance(got, wanted, x, y) > tolerance) blocks.push({ x, y });
  const isSame = blocks.length <= allowedBlocks;
  return { blocks, message: isSame ? undefined : `${String(blocks.length)} blocks differ` };
}

/** The largest difference of the means of one block, over the three colours. */
function distance(got: Picture, wanted: Picture, left: number, top: number): number {
  const off = [0, 0, 0];
  const [right, bottom] = [Math.min(left + block, got.width), Math.min(top + block, got.height)];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++)
      for (let colour = 0; colour < 3; colour++) {
        const at = (y * got.width + x) * 3 + colour;
        off[colour] = (off[colour] ?? 0) + (got.rgb[at] ?? 0) - (wanted.rgb[at] ?? 0);
      }
  return Math.max(...off.map(Math.abs)) / ((right - left) * (bottom - top));
}

/** The picture that is wanted, faded, with the blocks that differ in red. */
export function marked(wanted: Picture, { blocks }: Difference): Picture {
  const rgb = wanted.rgb.map((value) => 128 + (value >> 1));
  for (const { x: left, y: top } of blocks)
    for (let y = top; y < Math.min(top + block, wanted.height); y++)
      for (let x = left; x < Math.min(left + block, wanted.width); x++)
        rgb.set([220, 30, 30], (y * wanted.width + x) * 3);
  return { ...wanted, rgb };
}
