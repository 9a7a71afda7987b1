/** A figure with its name above and an explanation below; `title` explains the name. */
export function Tile({
  label,
  title,
  value,
  children,
}: {
  label: string;
  title: string;
  value: string;
  children: React.ReactNode;
}) {
  return (
    <div className="kpi">
      <div className="l" title={title}>
        <span className="cut">{label}</span>
      </div>
      <b>{value}</b>
      <div className="d">
        <span className="cut">{children}</span>
      </div>
    </div>
  );
}
