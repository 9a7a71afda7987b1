/** Steps in order. */
export function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <div>
      <h2 className="strong">What to do</h2>
      <ol className="stack tight todo">
        {steps.map((step, at) => (
          <li key={step} className="row start">
            <span className="rkk" aria-hidden="true">
              {at + 1}
            </span>
            <span>{step}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
