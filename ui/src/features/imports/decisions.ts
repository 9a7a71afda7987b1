import type { ChoiceName, DecisionReason } from '@/api';

/** The title of a decision. */
export function reasonTitle(reason: DecisionReason): string {
  return titles[reason] ?? 'Your decision is needed';
}

const aboutFile: DecisionReason[] = [
  'number_format',
  'date_format',
  'cost_view',
  'currency',
  'which_cluster',
  'idle_cost',
  'partly_billed',
];

/** Whether the answer is about the format of one file, and not about its effect on stored rows. */
export function isAboutFile(reason: DecisionReason): boolean {
  return aboutFile.includes(reason);
}

/** The label of a list of answers, and of the button for the chosen one. */
export function listOf(reason: DecisionReason): { label: string; button: (answer: string) => string } {
  switch (reason) {
    case 'currency':
      return { label: 'Currency', button: (answer) => `Import in ${answer}` };
    case 'which_cluster':
      return { label: 'Cluster', button: () => 'Import' };
    default:
      return { label: 'Answer', button: () => 'Import' };
  }
}

/** A newer service may have further reasons. */
const titles: Partial<Record<string, string>> = {
  partly_known: 'Some of these charges are stored already, others are not',
  much_smaller: 'The file is much smaller than the data it would replace',
  only_credits: 'The file has only credits, refunds or corrections',
  unreadable_rows: 'The file would replace stored costs, but some of its rows cannot be read',
  lowers_period: 'The file would lower stored costs',
  unclear_identity: 'Some charges of the file may be stored already',
  two_versions: 'Two files have the same charges with different amounts',
  other_cost_view: 'Actual and amortised cost of one period cannot both be stored',
  told_otherwise: 'The same costs seem to be stored already in another form',
  unknown_parts: 'Two reports may be parts of one',
  number_format: 'The numbers can be read in two ways',
  date_format: 'The dates can be read in two ways',
  cost_view: 'The costs are actual or amortised',
  currency: 'The file does not name its currency',
  which_cluster: 'The file does not name its cluster',
  idle_cost: 'The costs may include idle cost that is stored already',
  partly_billed: 'A bill covers some of the days of these costs',
  mapping: 'The columns of the file are not known',
} satisfies Record<DecisionReason, string>;

const choices: Partial<Record<string, { name: string; help: string }>> = {
  add: { name: 'Add', help: 'Stored charges stay, and the charges of the file are added.' },
  replace: {
    name: 'Replace',
    help: 'The file replaces everything that earlier files imported for the same periods.',
  },
  combine: {
    name: 'Combine',
    help: 'Charges in both count once, with the values of this file. All others stay.',
  },
  replace_accounts: {
    name: 'Replace only these accounts',
    help: 'The file replaces the charges of its own accounts; other accounts keep theirs.',
  },
  decimal_comma: {
    name: 'Decimal comma',
    help: 'A comma begins the decimals, a point separates thousands: 1.234 means 1234.',
  },
  decimal_point: {
    name: 'Decimal point',
    help: 'A point begins the decimals, a comma separates thousands: 1,234 means 1234.',
  },
  day_first: { name: 'Day first', help: '03.04.2026 is 3 April 2026.' },
  month_first: { name: 'Month first', help: '03.04.2026 is 4 March 2026.' },
  actual_cost: {
    name: 'Actual cost',
    help: 'As invoiced: a reservation is charged when it is bought, and covered usage costs 0.',
  },
  amortized_cost: {
    name: 'Amortised cost',
    help: 'The cost of a reservation is spread over the usage it covers.',
  },
  count_beside_bill: {
    name: 'Count them',
    help: 'The costs of OpenCost count in full, in addition to the bill. Days that the bill covers count twice.',
  },
  leave_to_bill: {
    name: 'Leave them out',
    help: 'Only the bill counts. Days that only OpenCost has count as 0.',
  },
  idle_in_parts: {
    name: 'They include it',
    help: 'The stored idle cost of the same time is removed, and restored when the import is undone.',
  },
  idle_apart: { name: 'They do not', help: 'The stored idle cost stays and counts in addition to the file.' },
} satisfies Record<ChoiceName, { name: string; help: string }>;

/** The button label; `label` is the service's text for a choice that this page does not know. */
export function choiceName(choice: ChoiceName, label: string): string {
  return choices[choice]?.name ?? label;
}

export function choiceHelp(choice: ChoiceName): string {
  return choices[choice]?.help ?? '';
}
