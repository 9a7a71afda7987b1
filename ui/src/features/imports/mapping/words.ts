/** Texts about mappings of columns. */
export const words = {
  title: 'Map columns',
  help: 'Say which column is what. Nothing is written before you import.',
  notInFile: 'Not in the file',
  fixed: 'The same for every row',
  needed: 'Needed',
  value: (field: string) => `${field}, for every row`,
  tags: 'Tags',
  firstRows: 'The first rows of the file',
  preview: 'What an import would write',
  checking: 'Reading the file …',
  lacking: (fields: string) => `Still needed: ${fields}`,
  counts: (written: string, skipped: string) => `${written} would be imported, ${skipped} left out.`,
  nothing: 'No row can be read with this mapping.',
  asksThen: 'After that, the import asks:',
  name: 'Name of the mapping',
  nameHelp: 'Files with the same columns are read by it from then on, without a question.',
  keep: 'Keep mapping and import',
  saving: 'Importing',
  open: 'Map columns',
  button: 'Column mappings',
  kept: 'Column mappings',
  keptHelp:
    'Which column is what in tables of costs that no format knows. Files with the same columns are read by them.',
  none: 'No saved mappings. Drop a cost CSV in an unknown format and map its columns.',
  columns: (names: string) => `Columns: ${names}`,
  forget: 'Forget',
  close: 'Close',
  forgotten: (name: string) => `Mapping ${name} is forgotten; what was read by it stays`,
};

/** The service's fields, for people. */
const fields: Partial<Record<string, string>> = {
  cost: 'Cost',
  date: 'Date',
  end_date: 'End date',
  currency: 'Currency',
  provider: 'Provider',
  account: 'Account',
  account_name: 'Account name',
  service: 'Service',
  region: 'Region',
  resource: 'Resource',
  description: 'Description',
  invoice: 'Invoice',
  quantity: 'Quantity',
  unit: 'Unit',
};

export function fieldName(name: string): string {
  return fields[name] ?? name;
}
