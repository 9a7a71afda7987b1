import { Link } from '@tanstack/react-router';
import { PiggyBank } from 'lucide-react';
import { categoryName } from '@/api';
import { Content, Empty, Panel, compare, count, estimate, isZero, ratio } from '@/shared';
import { hasSeveral, mainCurrency, perCategory, useSavings } from './savings';
import type { Saving } from './savings';

/** Monthly savings of open recommendations, by category. */
export function SavingsPanel() {
  const savings = useSavings();
  return (
    <Panel title="Open savings" padded actions={<Link to="/recommendations">Review</Link>}>
      <Content of={savings} what="Recommendations could not be read">
        {(rows) => {
          const open = rows.filter((row) => row.standing === 'open');
          const main = mainCurrency(open);
          const several = hasSeveral(open);
          const categories = perCategory(open);
          const largest = categories[0]?.saving.amounts.get(main) ?? 0;
          if (categories.length === 0)
            return rows.length > 0 ? (
              <Empty icon={PiggyBank} title="No open recommendations" />
            ) : (
              <Empty icon={PiggyBank} title="No recommendations" action={<Link to="/imports">Import reports</Link>}>
                Rules found no waste in these bills. Reports of scanners and of AWS Compute Optimizer may show more.
              </Empty>
            );
          return (
            <ul className="top-savings">
              {categories.map(({ category, saving }) => (
                <li key={category}>
                  <div className="split">
                    <Link to="/recommendations" search={category === null ? {} : { category }}>
                      {categoryName(category)} <span className="faint">{count(saving.count)}</span>
                    </Link>
                    <span className="num" {...(amounts(saving, several) === '–' ? { title: 'No saving stated' } : {})}>
                      {amounts(saving, several)}
                    </span>
                  </div>
                  <Bar part={saving.amounts.get(main) ?? 0} whole={largest} />
                </li>
              ))}
            </ul>
          );
        }}
      </Content>
    </Panel>
  );
}

/** A category may contain only risks without savings. */
function amounts({ amounts }: Saving, several: boolean): string {
  const money = [...amounts].filter(([, amount]) => !isZero(amount));
  if (money.length === 0) return '–';
  return money.map(([code, amount]) => estimate(amount, code || null, { several })).join(', ');
}

function Bar({ part, whole }: { part: string | number; whole: string | number }) {
  const fraction = compare(part, 0) > 0 ? (ratio(part, whole) ?? 0) : 0;
  return (
    <div className="prog" aria-hidden="true">
      <i style={{ width: `${String(Math.min(1, fraction) * 100)}%`, background: 'var(--c1)' }} />
    </div>
  );
}
