import { Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useImportCommand } from '@/api';
import { Empty } from '@/shared';

/** Before the first import: which files bring resources, and how to read one from a shell. */
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
      Charges of a FOCUS cost export (CSV or CSV.gz) that name a resource fill this page, and so do AWS Compute
      Optimizer exports (CSV, of EC2 instances or EBS volumes).
    </Empty>
  );
}
