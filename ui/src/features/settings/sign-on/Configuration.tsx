import { TriangleAlert } from 'lucide-react';
import { CertificateWarning } from './CertificateWarning';
import type { FormProps } from './form';
import { goTo } from './form';
import { LocalAdministrator } from './LocalAdministrator';
import { Mapping } from './MappingSection';
import type { Row } from './mapping';
import { Provider } from './Provider';
import { Register } from './Register';
import { Roles } from './Roles';
import { SwitchOn } from './SwitchOn';

/** The form, in the order an admin works through it. */
export function Configuration({
  rows,
  setRows,
  onTest,
  testing,
  ...form
}: FormProps & { rows: Row[] | null; setRows: (rows: Row[]) => void; onTest: () => void; testing: boolean }) {
  const certificate = form.settings.certificates[0];
  // The certificate has its own warning with a link.
  const others = form.view.warnings.filter((warning) => warning.setting !== 'SAML_CERT');
  return (
    <div className="stack setform">
      {certificate && <CertificateWarning certificates={form.settings.certificates} />}
      {others.map((warning) => (
        <div key={`${warning.code} ${warning.text}`} className="note warn">
          <TriangleAlert className="i" />
          <div className="grow">{warning.text}</div>
          {warning.setting && (
            <button
              type="button"
              className="bare textlink"
              onClick={() => {
                goTo(`setting-${warning.setting ?? ''}`);
              }}
            >
              Show
            </button>
          )}
        </div>
      ))}
      <Register {...form} />
      <Provider {...form} />
      <Roles {...form} />
      <Mapping {...form} rows={rows} setRows={setRows} />
      <SwitchOn {...form} onTest={onTest} testing={testing} />
      <LocalAdministrator />
    </div>
  );
}
