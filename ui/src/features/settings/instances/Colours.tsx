/** The colour that marks an instance; its name is always shown next to it. */
export function Colours({
  colours,
  value,
  onChange,
}: {
  colours: readonly string[];
  value: string;
  onChange: (colour: string) => void;
}) {
  return (
    <div className="row colours" role="radiogroup" aria-label="Colour">
      {colours.map((colour) => (
        <button
          key={colour}
          type="button"
          role="radio"
          aria-checked={colour === value}
          aria-label={colour}
          title={colour}
          className={`bare inst-choice inst-${colour}`}
          onClick={() => {
            onChange(colour);
          }}
        />
      ))}
    </div>
  );
}
