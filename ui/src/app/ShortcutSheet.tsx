import { Button, Dialog } from '@/shared';
import { useAllCommands } from '@/shared/keyboard/commands';
import { Keys } from '@/shared/keyboard/Keys';

/** The keys that work on this page, grouped. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const commands = useAllCommands().filter((command) => command.keys);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Keyboard shortcuts of this page"
      help="Single letters work outside fields only."
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <div className="shortcuts">
        {(['Go to', 'Do', 'Rows'] as const).map((group) => {
          const list = commands.filter((command) => command.group === group);
          return (
            list.length > 0 && (
              <section key={group} className="sec">
                <h3>{group}</h3>
                <dl className="kv">
                  {list.map((command) => (
                    <div key={command.id} className="pair">
                      <dt className="row">{command.keys && <Keys keys={command.keys} />}</dt>
                      <dd>{command.title}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            )
          );
        })}
      </div>
    </Dialog>
  );
}
