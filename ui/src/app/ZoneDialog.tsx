import { useState } from 'react';
import { Button, Dialog, Field, Form, dateTime, isZone, ownZone, setZone, useNow, useZone } from '@/shared';

/** Chooses the time zone for times on this computer. */
export function ZoneDialog({ onClose }: { onClose: () => void }) {
  const { choice, zone } = useZone();
  const now = useNow();
  const own = ownZone();
  const [name, setName] = useState(zone);
  const isKnown = isZone(name.trim());
  const choose = (next: string | null) => {
    setZone(next);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Time zone"
      help="Times are shown and typed in this zone, on this computer. Days of bills stay UTC."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="zone">
            Save
          </Button>
        </>
      }
    >
      <Form
        id="zone"
        onSubmit={() => {
          if (isKnown) choose(name.trim());
        }}
      >
        <div className="row wrapping">
          <Button
            size="small"
            aria-pressed={choice === null}
            onClick={() => {
              choose(null);
            }}
          >
            Same as this computer ({own})
          </Button>
          {own !== 'UTC' && (
            <Button
              size="small"
              aria-pressed={choice === 'UTC'}
              onClick={() => {
                choose('UTC');
              }}
            >
              UTC
            </Button>
          )}
        </div>
        <Field
          label="Zone"
          help={isKnown ? `Time there: ${dateTime(now, now, name.trim())}.` : undefined}
          error={isKnown ? undefined : 'Enter a zone such as Europe/Berlin'}
        >
          {(control) => (
            <input
              {...control}
              className="in"
              list="zones"
              autoFocus
              autoComplete="off"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
              }}
            />
          )}
        </Field>
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
      </Form>
    </Dialog>
  );
}
