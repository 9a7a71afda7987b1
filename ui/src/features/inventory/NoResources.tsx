import { Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useImportCommand } from '@/api';
import { Empty } from '@/shared';

/** Empty state before the first import: which files contain resources, and how to import one from a shell. */
export function NoResources() {
  return (
    <Empty
      icon={Boxes}
      title="No resources yet"
      command={useImportCommand()}
      action={
        <Link to="/imports" className="btn">
          Import files
        </Link>
      }
    >
      Import a bill, a Kubernetes dump, a support bundle, a Terraform state or a scanner report. All of them list
      resources.
    </Empty>
  );
}
