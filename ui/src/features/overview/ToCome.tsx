import { Tile } from './Tile';

/** Before the first bill: the key figures to come, and what each requires. */
export function ToCome() {
  return (
    <section className="kpis" aria-label="Key figures to come">
      <Figure label="Spend this month" waits="Appears after the first import" />
      <Figure label="Change from the month before" waits="Needs two months of data" />
      <Figure label="Savings identified" waits="Rules look for waste in every bill" />
    </section>
  );
}

function Figure({ label, waits }: { label: string; waits: string }) {
  return (
    <Tile label={label}>
      <b className="faint">–</b>
      <div className="d">{waits}</div>
    </Tile>
  );
}
