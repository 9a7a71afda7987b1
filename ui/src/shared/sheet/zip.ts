/** Files in one archive as they are, without compression (APPNOTE 6.3.3, method 0): what a workbook is packed in. */
export function zip(files: readonly (readonly [name: string, text: string])[]): Uint8Array<ArrayBuffer> {
  const encode = new TextEncoder();
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const [name, text] of files) {
    const [title, content] = [encode.encode(name), encode.encode(text)];
    const common = numbers([
      [20, 2],
      // Names are UTF-8.
      [0x0800, 2],
      [0, 2],
      // Fixed time, 1980-01-01, so that the same table produces the same bytes.
      [0, 2],
      [0x21, 2],
      [crc(content), 4],
      [content.length, 4],
      [content.length, 4],
      [title.length, 2],
      [0, 2],
    ]);
    local.push(numbers([[0x04034b50, 4]]), common, title, content);
    const rest: [number, number][] = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [at, 4],
    ];
    central.push(
      numbers([
        [0x02014b50, 4],
        [20, 2],
      ]),
      common,
      numbers(rest),
      title,
    );
    at += 4 + common.length + title.length + content.length;
  }
  const size = central.reduce((sum, part) => sum + part.length, 0);
  const end = numbers([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [size, 4],
    [at, 4],
    [0, 2],
  ]);
  return join([...local, ...central, end]);
}

/** Little-endian numbers of so many bytes. */
function numbers(values: readonly (readonly [value: number, bytes: number])[]): Uint8Array {
  return Uint8Array.from(
    values.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256)),
  );
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const table = Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** CRC-32 of ISO 3309, as archives have it. */
export function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
