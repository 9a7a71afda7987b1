import type { ResultOf } from '@/api';
import { fieldsOf } from './change';
import type { Changes } from './queries';
import { changes as words } from './words';

type Change = ResultOf<typeof Changes>['k8s_changes'][number];

/** One object that differs between two dumps, with the fields before and after. */
export function ChangeItem({ of, title }: { of: Change; title: string }) {
  const fields = fieldsOf(of.fields);
  return (
    <article className="k8s-found">
      <div className="split">
        <h3 className="mono wrap">{title}</h3>
        <span className="badge">{of.change}</span>
      </div>
      {fields.length > 0 && (
        <dl className="small">
          {fields.map(({ path, before, after }) => (
            <div key={path}>
              <dt className="muted mono">{path}</dt>
              <dd className="mono">
                {before === undefined ? <span className="faint">not there</span> : <del>{before}</del>}
                <span className="faint"> → </span>
                {after === undefined ? <span className="faint">not there</span> : <ins>{after}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {of.field_count > fields.length && <p className="small muted">{words.hidden(of.field_count - fields.length)}</p>}
    </article>
  );
}
