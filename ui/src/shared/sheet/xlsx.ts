import { zip } from './zip';
import type { Sheet } from './sheet';

/** Rows of a worksheet at most, the head among them (ECMA-376 as Excel reads it). */
const mostRows = 1_048_576;
const numeric = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

/**
 * A workbook of one worksheet, as Excel, LibreOffice and Numbers open it: names of columns bold and in view, filters on. Amounts are numbers with
 * every digit they have (Excel counts with fifteen), all else is text, which no spreadsheet runs as a formula.
 */
export function xlsx({ name, columns, rows }: Sheet): Uint8Array<ArrayBuffer> {
  if (rows.length >= mostRows) {
    throw new Error(
      `${String(rows.length)} rows are more than a worksheet holds (${String(mostRows - 1)}): export CSV`,
    );
  }
  const last = `${letters(Math.max(columns.length, 1) - 1)}${String(rows.length + 1)}`;
  const widths = columns.map((column, i) => {
    const longest = rows
      .slice(0, 500)
      .reduce((most, row) => Math.max(most, String(row[i] ?? '').length), column.name.length);
    return `<col min="${String(i + 1)}" max="${String(i + 1)}" width="${String(Math.min(60, Math.max(9, longest + 2)))}" customWidth="1"/>`;
  });
  const lines = [
    line(
      1,
      columns.map((column, i) => text(i, 1, column.name, 1)),
    ),
    ...rows.map((row, at) =>
      line(
        at + 2,
        columns.map((column, i) => cell(i, at + 2, row[i], column.isNumber === true)),
      ),
    ),
  ];
  const sheet =
    `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    (widths.length > 0 ? `<cols>${widths.join('')}</cols>` : '') +
    `<sheetData>${lines.join('')}</sheetData><autoFilter ref="A1:${last}"/></worksheet>`;
  return zip([
    ['[Content_Types].xml', types],
    ['_rels/.rels', relation('officeDocument', 'xl/workbook.xml')],
    [
      'xl/workbook.xml',
      `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${xml(sheetName(name))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', styles],
    ['xl/worksheets/sheet1.xml', sheet],
  ]);
}

const parts = [
  ['workbook.xml', 'sheet.main'],
  ['worksheets/sheet1.xml', 'worksheet'],
  ['styles.xml', 'styles'],
].map(
  ([path, kind]) =>
    `<Override PartName="/xl/${path ?? ''}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind ?? ''}+xml"/>`,
);
const types = `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`;

const styles = `${head}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function relation(kind: string, target: string): string {
  return `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/${kind}" Target="${target}"/></Relationships>`;
}

function line(number: number, cells: readonly string[]): string {
  return `<row r="${String(number)}">${cells.join('')}</row>`;
}

function cell(column: number, row: number, value: string | number | null | undefined, isNumber: boolean): string {
  if (value === null || value === undefined || value === '') return '';
  const written = String(value);
  if (typeof value === 'number' ? Number.isFinite(value) : isNumber && numeric.test(written)) {
    return `<c r="${letters(column)}${String(row)}"><v>${written.replace(/^\+/, '')}</v></c>`;
  }
  return text(column, row, written, 0);
}

function text(column: number, row: number, value: string, style: number): string {
  const styled = style > 0 ? ` s="${String(style)}"` : '';
  return `<c r="${letters(column)}${String(row)}"${styled} t="inlineStr"><is><t xml:space="preserve">${xml(value)}</t></is></c>`;
}

/** The name of a column by its place: A, B … Z, AA. */
export function letters(place: number): string {
  const rest = String.fromCharCode(65 + (place % 26));
  return place < 26 ? rest : letters(Math.floor(place / 26) - 1) + rest;
}

/** A valid worksheet name. */
function sheetName(name: string): string {
  return (
    name
      .replace(/[[\]:*?/\\']/g, ' ')
      .slice(0, 31)
      .trim() || 'Table'
  );
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Removes characters that XML cannot represent. */
function xml(value: string): string {
  return value
    .replace(/\p{Cc}|\uFFFE|\uFFFF/gu, (sign) => (/[\t\n\r]/.test(sign) ? sign : ''))
    .slice(0, 32_767)
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
