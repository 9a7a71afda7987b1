/** Expected over received, with the characters that differ marked. */
export function Difference({ expected, received }: { expected: string | null; received: string | null }) {
  const [same, rest, tail] =
    expected !== null && received !== null ? apart(expected, received) : ['', received ?? '', ''];
  return (
    <div className="er">
      {expected !== null && (
        <>
          <span className="small muted">Expected</span>
          <span className="mono">{expected}</span>
        </>
      )}
      <span className="small muted">Received</span>
      <span className="mono">
        {received === null ? (
          <span className="faint">nothing</span>
        ) : (
          <>
            {same}
            {rest && <mark>{rest}</mark>}
            {tail}
          </>
        )}
      </span>
    </div>
  );
}

/** Splits `received` into common prefix, difference and common suffix with `expected`. Without a common part nothing is marked. */
export function apart(expected: string, received: string): [same: string, differs: string, tail: string] {
  let start = 0;
  while (start < received.length && received[start] === expected[start]) start += 1;
  let end = 0;
  const most = Math.min(received.length, expected.length) - start;
  while (end < most && received.at(-1 - end) === expected.at(-1 - end)) end += 1;
  if (start + end < received.length / 2) return [received, '', ''];
  return [
    received.slice(0, start),
    received.slice(start, received.length - end),
    received.slice(received.length - end),
  ];
}
