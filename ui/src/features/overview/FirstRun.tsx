import { Link } from '@tanstack/react-router';
import { Check, Cpu, Package, Server, Upload } from 'lucide-react';
import { useAbout, useImportCommand, useInstances } from '@/api';
import { CopyCommand } from '@/shared';

/** Before the first import: how to import data, where it is stored, and optional steps. */
export function FirstRun() {
  const about = useAbout().data;
  const command = useImportCommand();
  const elsewhere = useInstances().data;
  return (
    <div className="first stack">
      <div>
        <h2 className="big">Start with last month’s bill</h2>
        <p className="muted read">One cost file is enough to see where the money goes. Nothing leaves this computer.</p>
      </div>
      <ol className="panel steps">
        <li>
          <span className="fn done">
            <Check className="i s" />
          </span>
          <div className="grow">
            <h3 className="strong">{about?.instance ?? 'This computer'} is ready</h3>
            <p className="muted">
              {about?.data_dir ? (
                <>
                  Data stays in <span className="mono">{about.data_dir}</span>. No account and no network are needed.
                </>
              ) : (
                'Data stays with this instance. No account and no network are needed.'
              )}
            </p>
          </div>
        </li>
        <li className="cur">
          <span className="fn">2</span>
          <div className="grow stack tight">
            <div>
              <h3 className="strong">Bring in costs</h3>
              <p className="muted">
                Import the cost export you already have: a bill of AWS, Azure or Google Cloud, or FOCUS of any provider.
                You can also import cluster dumps, scanner reports, alerts and logs.
              </p>
            </div>
            <div className="row wrap">
              <Link to="/imports" className="btn pri">
                <Upload className="i" />
                Import cost files
              </Link>
              {elsewhere && (
                <Link to="/settings/instances" className="btn">
                  <Server className="i" />
                  Connect to a remote instance
                </Link>
              )}
            </div>
            <p className="small muted">Or from a shell, also while this page is open:</p>
            <CopyCommand command={command} />
          </div>
        </li>
        {elsewhere && (
          <>
            <li>
              <span className="fn later">3</span>
              <div className="grow stack tight">
                <div>
                  <h3 className="strong">Turn on the assistant, if you want it</h3>
                  <p className="muted">Answers and summaries need a model. Costs and savings work without one.</p>
                </div>
                <div className="row wrap">
                  <Link to="/settings/model-downloads" className="btn">
                    <Package className="i" />
                    Get a model
                  </Link>
                  <Link to="/settings/model-providers" className="btn">
                    <Cpu className="i" />
                    Use a model provider
                  </Link>
                </div>
              </div>
            </li>
            <li>
              <span className="fn later">4</span>
              <div className="grow">
                <h3 className="strong">Let other people in, later</h3>
                <p className="muted">
                  <Link to="/settings/users">Users, roles</Link> and single sign-on are under Settings when you share
                  this instance.
                </p>
              </div>
            </li>
          </>
        )}
      </ol>
    </div>
  );
}
