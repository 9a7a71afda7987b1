import { Select, SidePanel } from '@/shared';
import { CopyRow } from '../parts';
import { guideOf, guides } from './guides';
import type { Guide } from './guides';
import type { Settings } from './types';

/** Where to enter our values at a provider; shown next to the form while the admin works in two windows. */
export function SetupGuide({
  id,
  settings,
  onChoose,
  onClose,
}: {
  id: string;
  settings: Settings;
  onChoose: (id: string) => void;
  onClose: () => void;
}) {
  const guide = guideOf(id);
  return (
    <SidePanel
      label="Setup guide"
      head={
        <div className="stack tight">
          <h2 className="ttl">Setup guide</h2>
          <div>
            <Select
              label="Identity provider"
              value={guide.id}
              options={guides.map(({ id: value, name }) => ({ value, label: name }))}
              onChange={onChoose}
            />
          </div>
        </div>
      }
      onClose={onClose}
    >
      <section className="sec">
        <h3>1. Create an application</h3>
        <p>{guide.where}</p>
      </section>
      <section className="sec">
        <h3>2. Fill in</h3>
        <div className="panel copylist">
          {guide.fields.map((field) => (
            <Field key={field.label} field={field} settings={settings} />
          ))}
        </div>
      </section>
      <section className="sec">
        <h3>3. Send attributes</h3>
        <dl className="kv">
          {guide.attributes.map(({ name, from }) => (
            <div key={name} className="pair">
              <dt className="mono">{name}</dt>
              <dd>{from}</dd>
            </div>
          ))}
        </dl>
        <p>{guide.groups}</p>
      </section>
      <section className="sec">
        <h3>4. Import its metadata here</h3>
        <p>{guide.metadata}</p>
      </section>
      <section className="sec">
        <h3>Note</h3>
        <ul className="stack tight bullets">
          {guide.beware.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </section>
    </SidePanel>
  );
}

function Field({ field, settings }: { field: Guide['fields'][number]; settings: Settings }) {
  const { label, wanted } = field;
  const sp = settings.service_provider;
  if (typeof wanted === 'object')
    return (
      <div className="cl">
        <span className="muted">{label}</span>
        <span className="strong">{wanted.text}</span>
        <span />
      </div>
    );
  const value = { acs: sp.acs_url, entity: sp.entity_id, signOn: sp.sign_on_url }[wanted];
  return <CopyRow label={label} value={value} missing="Enter the address of this service first" />;
}
