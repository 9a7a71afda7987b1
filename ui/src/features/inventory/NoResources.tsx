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
      Import a FOCUS cost export whose charges contain resources (CSV or CSV.gz), or an AWS Compute Optimizer export
      (CSV, of EC2 instances or EBS volumes).
    </Empty>
  );
}
