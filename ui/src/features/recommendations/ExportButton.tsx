import { Download } from 'lucide-react';
import { ruleTitle } from '@/api';
import { host } from '@/host';
import { Button, count, csv, useCommands } from '@/shared';
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
  const save = () => {
    void host.saveFile('recommendations.csv', csv(head, rows.map(cells)), 'text/csv');
  };
  useCommands([
    { id: 'export', title: 'Export recommendations', group: 'Do', keys: 'shift+e', icon: Download, run: save },
  ]);
  return (
    <Button onClick={save} title={`CSV, ${count(rows.length)} rows, current filters, ${String(head.length)} columns`}>
      <Download className="i" />
      Export
    </Button>
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
