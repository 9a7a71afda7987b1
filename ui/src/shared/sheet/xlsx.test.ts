import { expect, test } from 'vitest';
import { letters, xlsx } from './xlsx';
import { crc } from './zip';

/** The files of an archive that is not compressed, by their names. */
function unzip(bytes: Uint8Array): Map<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = new Map<string, string>();
  let at = 0;
  while (view.getUint32(at, true) === 0x04034b50) {
    const [sum, size, title] = [
      view.getUint32(at + 14, true),
      view.getUint32(at + 18, true),
      view.getUint16(at + 26, true),
    ];
    const name = new TextDecoder().decode(bytes.subarray(at + 30, at + 30 + title));
    const content = bytes.subarray(at + 30 + title, at + 30 + title + size);
    expect(crc(content)).toBe(sum);
    files.set(name, new TextDecoder().decode(content));
    at += 30 + title + size;
  }
  return files;
}

test('amounts are numbers with every digit, all else is text that nothing runs', () => {
  const file = xlsx({
    name: 'Costs: [all]',
    columns: [{ name: 'Account' }, { name: 'Cost', isNumber: true }],
    rows: [
      ['0012', '20.52022672899'],
      ['=1+1 & "<b>"\u0000', null],
      ['x', 3],
    ],
  });
  const files = unzip(file);
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  expect(sheet).toContain(
    '<c r="A2" t="inlineStr"><is><t xml:space="preserve">0012</t></is></c><c r="B2"><v>20.52022672899</v></c>',
  );
  expect(sheet).toContain(
    '<c r="A3" t="inlineStr"><is><t xml:space="preserve">=1+1 &amp; &quot;&lt;b&gt;&quot;</t></is></c></row>',
  );
  expect(sheet).toContain('<autoFilter ref="A1:B4"/>');
  expect(files.get('xl/workbook.xml')).toContain('name="Costs   all"');
  for (const [name, text] of files) {
    const found = new DOMParser().parseFromString(text, 'application/xml').querySelector('parsererror');
    expect(found, name).toBeNull();
  }
  expect([...files.keys()][0]).toBe('[Content_Types].xml');
});

test('checksums are those of the standard, columns go on after Z', () => {
  expect(crc(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  expect([0, 25, 26, 701, 702].map(letters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
});
