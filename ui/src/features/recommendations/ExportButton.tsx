import { ruleTitle } from '@/api';
import { host } from '@/host';
import { ExportMenu } from '@/shared';
import { statusName } from './row';
import type { Row } from './row';

const head = [
  'Recommendation',
  'Reason',
  'Category',
  'Severity',
  'Status',
  'Owner',
  'Rule',
  'Resource',
  'Identifier',
  'Region',
  'Account',
  'Account number',
  'Estimated savings per month',
  'Currency',
  'Found',
];

/** Saves the rows that are listed, every digit of their savings. */
export function ExportButton({ rows }: { rows: readonly Row[] }) {
  return (
    <ExportMenu
      name="recommendations"
      file="recommendations"
      table={() => ({
        name: 'Recommendations',
        columns: head.map((name) => ({ name, isNumber: name.startsWith('Estimated savings') })),
        rows: rows.map(cells),
      })}
      many={rows.length}
      columns={head.length}
      save={(file, content, type) => host.saveFile(file, content, type)}
    />
  );
}

function cells({ stored, evidence, ...row }: Row) {
  return [
    row.title,
    row.reason,
    row.category,
    row.severity,
    statusName(row.status),
    row.ownerName,
    ruleTitle(stored.rule_name),
    row.resource,
    stored.account_object_id,
    stored.cloud_resourse?.region ?? evidence.region,
    row.account,
    stored.cloud_account.account_number,
    row.savings,
    row.currency,
    stored.created_at,
  ];
}
