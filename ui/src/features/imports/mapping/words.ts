/** Texts about mappings of columns. */
export const words = {
  title: 'Map columns',
  help: 'Assign the columns. Nothing is imported before you confirm.',
  notInFile: 'Not in the file',
  fixed: 'The same for every row',
  needed: 'Required',
  value: (field: string) => `${field}, for every row`,
  tags: 'Tags',
  firstRows: 'The first rows of the file',
  preview: 'Preview of the import',
  checking: 'Reading the file …',
  lacking: (fields: string) => `Still required: ${fields}`,
  counts: (written: string, skipped: string) => `${written} would be imported, ${skipped} left out.`,
  nothing: 'No row can be read with this mapping.',
  asksThen: 'The import will then ask:',
  name: 'Name of the mapping',
  nameHelp: 'Files with the same columns use it from then on, without asking.',
  keep: 'Save mapping and import',
  saving: 'Importing',
  open: 'Map columns',
  button: 'Column mappings',
  kept: 'Column mappings',
  keptHelp: 'Column assignments for cost tables in unknown formats. Files with the same columns use them.',
  none: 'No saved mappings. Drop a cost CSV in an unknown format and map its columns.',
  columns: (names: string) => `Columns: ${names}`,
  forget: 'Delete',
  close: 'Close',
  forgotten: (name: string) => `Deleted mapping ${name}; imported data stays`,
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
