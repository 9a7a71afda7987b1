import { Select } from '@/shared';
import type { useAccount } from './useAccount';

type Account = ReturnType<typeof useAccount>['all'][number];

/** The account in front, and the others to choose from. */
export function AccountSelect({
  of: all,
  chosen,
  onChoose,
}: {
  of: Account[];
  chosen: Account;
  onChoose: (id: string) => void;
}) {
  return (
    <Select
      label="Account"
      value={chosen.id}
      options={all.map(({ id, account_name: label }) => ({ value: id, label }))}
      onChange={onChoose}
    />
  );
}
